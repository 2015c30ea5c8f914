internal import COpenSSL
internal import Keychain

// The algorithms of provisioning sessions, by OpenSSL. The only file of this room that knows it.
extension Cryptography {
    /// SHA-256 (FIPS 180-4).
    static func sha256(_ message: Secret) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: keySize)
        message.withUnsafeBytes { copenssl_sha256($0.bytes, $0.count, &digest) }
        return digest
    }

    /// SHA-512 (FIPS 180-4).
    static func sha512(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        _ = SHA512(message, message.count, &digest)
        return digest
    }

    /// SHA-512 (FIPS 180-4).
    static func sha512(_ message: Secret) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        _ = message.withUnsafeBytes { SHA512($0.bytes, $0.count, &digest) }
        return digest
    }

    /// The public key of an X25519 private key.
    /// - Precondition: the key has 32 bytes.
    static func publicKey(of privateKey: Secret) -> [UInt8] {
        precondition(privateKey.count == keySize, "an X25519 key has 32 bytes")
        var key = [UInt8](repeating: 0, count: keySize)
        let isDone = privateKey.withUnsafeBytes { copenssl_x25519_public($0.bytes, &key) }
        precondition(isDone, "a public key fails without memory alone")
        return key
    }

    /// The X25519 secret of a private key and the peer's public key.
    /// - Returns: `nil` if the peer's key has another size, or gives the same secret for every key.
    static func sharedSecret(_ privateKey: Secret, with peer: [UInt8]) -> [UInt8]? {
        guard peer.count == keySize else { return nil }
        var shared = [UInt8](repeating: 0, count: keySize)
        let isDone = privateKey.withUnsafeBytes { copenssl_x25519($0.bytes, peer, &shared) }
        return isDone ? shared : nil
    }

    /// Encrypts or decrypts in place with AES-256 in counter mode.
    /// - Parameter skipped: how many bytes of the first block were used before.
    static func applyCounterMode(
        _ bytes: inout [UInt8], key: Secret, counter: [UInt8], skipped: Int
    ) {
        let isDone = key.withUnsafeBytes { key in
            bytes.withUnsafeMutableBufferPointer { bytes in
                copenssl_ctr(key.bytes, counter, skipped, bytes.baseAddress, bytes.count)
            }
        }
        precondition(isDone, "counter mode fails without memory alone")
    }

    /// Encrypts in place with AES-256-GCM and appends the tag.
    static func seal(_ bytes: inout [UInt8], key: Secret, nonce: [UInt8]) {
        var tag = [UInt8](repeating: 0, count: tagSize)
        let isDone = applyGCM(&bytes, key: key, nonce: nonce, tag: &tag, seals: true)
        precondition(isDone, "AES-GCM seals unless there is no memory")
        bytes += tag
    }

    /// Decrypts in place what ``seal(_:key:nonce:)`` has encrypted, and removes the tag.
    /// - Returns: whether key, nonce and contents are the same.
    static func open(_ bytes: inout [UInt8], key: Secret, nonce: [UInt8]) -> Bool {
        guard bytes.count >= tagSize else { return false }
        var tag = Array(bytes.suffix(tagSize))
        bytes.removeLast(tagSize)
        return applyGCM(&bytes, key: key, nonce: nonce, tag: &tag, seals: false)
    }

    private static func applyGCM(
        _ bytes: inout [UInt8], key: Secret, nonce: [UInt8], tag: inout [UInt8], seals: Bool
    ) -> Bool {
        key.withUnsafeBytes { key in
            bytes.withUnsafeMutableBufferPointer { bytes in
                copenssl_gcm(
                    seals, key.bytes, nonce, nil, 0, bytes.baseAddress, bytes.count,
                    bytes.baseAddress, &tag)
            }
        }
    }

    /// What ``modular(_:_:_:modulus:)`` computes.
    enum Operation {
        /// The left number to the power of the right one.
        case power
        /// Their product.
        case product
        /// Their sum.
        case sum
        /// The left number less the right one.
        case difference
    }

    /// Computes with big-endian numbers modulo an odd one; the result has as many bytes as that.
    static func modular(
        _ operation: Operation, _ left: [UInt8], _ right: [UInt8], modulus: [UInt8]
    ) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: modulus.count)
        let isDone = copenssl_modular(
            operation.code, left, left.count, right, right.count, modulus, modulus.count, &result)
        precondition(isDone, "arithmetic fails without memory alone")
        return result
    }
}

extension Cryptography.Operation {
    fileprivate var code: copenssl_operation {
        switch self {
        case .power: copenssl_exponentiate
        case .product: copenssl_multiply
        case .sum: copenssl_add
        case .difference: copenssl_subtract
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? {
        baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}
