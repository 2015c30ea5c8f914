internal import Keychain

/// SRP-6a (RFC 5054) with its group of 3072 bits and SHA-512, as Security 2 uses it.
///
/// Numbers are big-endian bytes. Public keys are hashed as they were sent; the session key is the hash of the
/// shared number without leading zeros, which differs from RFC 5054 once in 256 sessions.
enum SRP6a {
    /// Bytes of a number of the group.
    static let size = 384

    /// The public key of a client's private number: 384 bytes.
    static func clientKey(_ privateKey: Secret) -> [UInt8] {
        raise(generator, to: privateKey.copy)
    }

    /// What a device keeps instead of the password: 384 bytes.
    static func verifier(username: String, password: Secret, salt: [UInt8]) -> [UInt8] {
        raise(generator, to: passwordNumber(username, password, salt))
    }

    /// The public key of a device's private number, without leading zeros, as devices send it.
    static func deviceKey(_ privateKey: Secret, verifier: [UInt8]) -> [UInt8] {
        minimal(
            compute(
                .sum, compute(.product, multiplier, verifier),
                raise(generator, to: privateKey.copy)))
    }

    /// Whether a peer's public key is one that the protocol allows: not a multiple of the modulus.
    static func isUsable(_ key: [UInt8]) -> Bool {
        !key.isEmpty && key.count <= size
            && compute(.product, key, [1]).contains { $0 != 0 }
    }

    /// The session key of a client: 64 bytes.
    static func clientSessionKey(
        _ exchange: SRPExchange, privateKey: Secret, password: Secret
    ) -> [UInt8] {
        let number = passwordNumber(exchange.username, password, exchange.salt)
        let base = compute(
            .difference, exchange.deviceKey,
            compute(.product, multiplier, raise(generator, to: number)))
        let shared = compute(
            .product, raise(base, to: privateKey.copy),
            raise(raise(base, to: number), to: exchange.scrambler))
        return Cryptography.sha512(minimal(shared))
    }

    /// The session key of a device: 64 bytes.
    static func deviceSessionKey(
        _ exchange: SRPExchange, privateKey: Secret, verifier: [UInt8]
    ) -> [UInt8] {
        let base = compute(
            .product, exchange.clientKey, raise(verifier, to: exchange.scrambler))
        return Cryptography.sha512(minimal(raise(base, to: privateKey.copy)))
    }

    /// The number of a password: H(salt ‖ H(username ‖ ":" ‖ password)).
    private static func passwordNumber(
        _ username: String, _ password: Secret, _ salt: [UInt8]
    ) -> [UInt8] {
        let user = Array("\(username):".utf8)
        let login = Secret(count: user.count + password.count) { buffer in
            buffer.copyBytes(from: user)
            password.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[user.count...])
                    .copyMemory(from: bytes)
            }
        }
        return Cryptography.sha512(salt + Cryptography.sha512(login))
    }

    private static func raise(_ base: [UInt8], to exponent: [UInt8]) -> [UInt8] {
        compute(.power, base, exponent)
    }

    private static func compute(
        _ operation: Cryptography.Operation, _ left: [UInt8], _ right: [UInt8]
    ) -> [UInt8] {
        Cryptography.modular(operation, left, right, modulus: modulus)
    }

    /// A number without leading zeros.
    private static func minimal(_ number: [UInt8]) -> [UInt8] {
        Array(number.drop { $0 == 0 })
    }

    /// A number with leading zeros to the size of the group.
    static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, size - number.count)) + number
    }

    static let generator: [UInt8] = [5]

    /// H(N ‖ PAD g).
    private static let multiplier = Cryptography.sha512(modulus + padded(generator))

    /// The prime of 3072 bits of RFC 5054, appendix A.
    static let modulus: [UInt8] = {
        let digits = """
            ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74\
            020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437\
            4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
            ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05\
            98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb\
            9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b\
            e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf695581718\
            3995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33\
            a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7\
            abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864\
            d87602733ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e2\
            08e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
            """.utf8.map { $0 >= UInt8(ascii: "a") ? $0 - UInt8(ascii: "a") + 10 : $0 & 0xF }
        return stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
    }()
}

/// What both sides of SRP-6a know when each has the other's public key.
struct SRPExchange: Hashable, Sendable {
    /// The user's name.
    let username: String
    /// The salt of the password, as it was sent.
    let salt: [UInt8]
    /// The client's public key, as it was sent.
    let clientKey: [UInt8]
    /// The device's public key, as it was sent.
    let deviceKey: [UInt8]

    /// H(PAD A ‖ PAD B).
    var scrambler: [UInt8] {
        Cryptography.sha512(SRP6a.padded(clientKey) + SRP6a.padded(deviceKey))
    }

    /// The client's proof that it knows the session key: 64 bytes.
    func clientProof(_ sessionKey: [UInt8]) -> [UInt8] {
        let group = zip(
            Cryptography.sha512(SRP6a.modulus), Cryptography.sha512(SRP6a.padded(SRP6a.generator))
        ).map { $0 ^ $1 }
        return Cryptography.sha512(
            group + Cryptography.sha512(Array(username.utf8)) + salt + clientKey + deviceKey
                + sessionKey)
    }

    /// The device's proof, once it has the client's: 64 bytes.
    func deviceProof(_ clientProof: [UInt8], _ sessionKey: [UInt8]) -> [UInt8] {
        Cryptography.sha512(clientKey + clientProof + sessionKey)
    }
}
