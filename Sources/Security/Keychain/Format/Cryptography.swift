internal import COpenSSL

/// The algorithms of the keychain and of what is built on it, by OpenSSL. The only file of this room that
/// knows it.
package enum Cryptography {
    /// Bytes of a key and of a hash.
    package static let keySize = 32
    /// Bytes of a nonce of AES-GCM.
    static let nonceSize = 12
    /// Bytes of a tag of AES-GCM.
    package static let tagSize = 16
    /// What scrypt may use at most, bytes.
    private static let scryptMemory: UInt64 = 1 << 30

    /// Random bytes from OpenSSL's generator.
    static func random(_ count: Int) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .noRandomness }
        return bytes
    }

    /// A random key.
    static func randomKey() throws(KeychainError) -> Secret {
        var isDone = false
        let key = Secret(count: keySize) { buffer in
            isDone = RAND_bytes(buffer.bytes, Int32(buffer.count)) == 1
        }
        guard isDone else { throw .noRandomness }
        return key
    }

    /// SHA-256 (FIPS 180-4).
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: keySize)
        copenssl_sha256(message, message.count, &digest)
        return digest
    }

    /// HMAC-SHA256 (RFC 2104).
    package static func hmac(_ message: [UInt8], key: Secret) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: keySize)
        let isDone = key.withUnsafeBytes { key in
            copenssl_hmac(key.bytes, key.count, message, message.count, &code)
        }
        precondition(isDone, "HMAC fails without memory alone")
        return code
    }

    /// HKDF-SHA256 (RFC 5869), for one key.
    package static func hkdf(
        _ master: Secret, salt: [UInt8] = [UInt8](repeating: 0, count: keySize), info: [UInt8]
    ) -> Secret {
        let extracted = Secret(count: keySize) { output in
            master.withUnsafeBytes { master in
                _ = copenssl_hmac(salt, salt.count, master.bytes, master.count, output.bytes)
            }
        }
        return Secret(count: keySize) { output in
            extracted.withUnsafeBytes { key in
                let message = info + [1]
                _ = copenssl_hmac(key.bytes, key.count, message, message.count, output.bytes)
            }
        }
    }

    /// scrypt (RFC 7914).
    /// - Returns: `nil` if the parameters are not allowed or need too much memory.
    static func scrypt(_ passphrase: Secret, salt: [UInt8], _ cost: ScryptCost) -> Secret? {
        var isDone = false
        let key = Secret(count: keySize) { output in
            passphrase.withUnsafeBytes { passphrase in
                isDone =
                    EVP_PBE_scrypt(
                        passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
                        passphrase.count, salt, salt.count, UInt64(1) << UInt64(cost.logN),
                        UInt64(cost.r), UInt64(cost.p), scryptMemory, output.bytes, output.count)
                    == 1
            }
        }
        return isDone ? key : nil
    }

    /// Encrypts with AES-256-GCM.
    static func seal(
        _ secret: Secret, key: Secret, for associated: [UInt8]
    ) throws(KeychainError) -> SealedBox {
        var box = SealedBox(
            nonce: try random(nonceSize), bytes: [UInt8](repeating: 0, count: secret.count),
            tag: [UInt8](repeating: 0, count: tagSize))
        let isDone = key.withUnsafeBytes { key in
            secret.withUnsafeBytes { secret in
                copenssl_gcm(
                    true, key.bytes, box.nonce, associated, associated.count, secret.bytes,
                    secret.count, &box.bytes, &box.tag)
            }
        }
        guard isDone else { throw KeychainError(.system, "no memory to encrypt a secret") }
        return box
    }

    /// Decrypts what ``seal(_:key:for:)`` has encrypted.
    /// - Returns: `nil` if key, associated data or contents are others.
    static func open(_ box: SealedBox, key: Secret, for associated: [UInt8]) -> Secret? {
        var isDone = false
        var tag = box.tag
        let secret = Secret(count: box.bytes.count) { output in
            key.withUnsafeBytes { key in
                isDone = copenssl_gcm(
                    false, key.bytes, box.nonce, associated, associated.count, box.bytes,
                    box.bytes.count, output.bytes, &tag)
            }
        }
        return isDone ? secret : nil
    }
}

/// The cost of scrypt (RFC 7914, section 2).
struct ScryptCost: Hashable, Sendable {
    /// The binary logarithm of the number of blocks.
    let logN: UInt8
    /// The block size.
    let r: UInt32
    /// The parallelisation.
    let p: UInt32

    /// 128 MiB and about half a second.
    static let standard = ScryptCost(logN: 17, r: 8, p: 1)

    /// Whether it is worth something and ends in seconds.
    var isReasonable: Bool {
        (10...22).contains(logN) && (1...32).contains(r) && (1...16).contains(p)
            && (1 << Int(logN)) * Int(r) * Int(p) <= Self.greatestWork
    }

    /// Four times the work of ``standard``: who can write a header shall not keep its reader busy.
    private static let greatestWork = 1 << 22
}

/// What AES-GCM makes of a secret.
struct SealedBox: Hashable, Sendable {
    let nonce: [UInt8]
    /// As many as the secret has.
    var bytes: [UInt8]
    var tag: [UInt8]
}

extension KeychainError {
    fileprivate static var noRandomness: KeychainError {
        KeychainError(.system, "the system gives no random bytes")
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var bytes: UnsafeMutablePointer<UInt8>? {
        baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? {
        baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}
