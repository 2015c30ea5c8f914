/// The first bytes of a keychain's file: which key it needs (docs/keychain.md).
struct VaultHeader: Hashable, Sendable {
    /// The file begins with these.
    static let magic = Array("DCVAULT".utf8)
    /// The version of the format.
    static let version: UInt8 = 1
    /// Bytes of the header.
    static let size = 130
    private static let sizeBeforeCheck = 66
    private static let sizeBeforeDigest = 98
    static let saltSize = 32
    static let keyIDSize = 16

    /// Where the master key comes from.
    enum Derivation: Hashable, Sendable {
        /// It is given as it is.
        case none
        /// From a passphrase, by scrypt.
        case scrypt(ScryptCost, salt: [UInt8])
    }

    /// Where the master key comes from.
    let derivation: Derivation
    /// Tells one master key from another.
    let keyID: [UInt8]
    /// What the right key makes of the bytes before it.
    let check: [UInt8]

    /// The header for a master key.
    init(_ derivation: Derivation, keyID: [UInt8], master: Secret) {
        self.derivation = derivation
        self.keyID = keyID
        check = Self.check(derivation, keyID, master)
    }

    /// - Throws: `DamagedContents` unless the bytes are a header as it was written.
    init(_ bytes: ArraySlice<UInt8>) throws(DamagedContents) {
        guard bytes.count >= Self.size else { throw DamagedContents() }
        let digest = Cryptography.sha256(Array(bytes.prefix(Self.sizeBeforeDigest)))
        guard Array(bytes.prefix(Self.size).dropFirst(Self.sizeBeforeDigest)) == digest else {
            throw DamagedContents()
        }
        var reader = ByteReader(bytes)
        guard try reader.bytes(Self.magic.count) == Self.magic,
            try reader.number(1) == Self.version
        else { throw DamagedContents() }
        derivation = try Self.derivation(&reader)
        keyID = try reader.bytes(Self.keyIDSize)
        check = try reader.bytes(Cryptography.keySize)
    }

    private static func derivation(
        _ reader: inout ByteReader
    ) throws(DamagedContents) -> Derivation {
        let kind = try reader.number(1)
        let cost = ScryptCost(
            logN: UInt8(try reader.number(1)), r: UInt32(try reader.number(4)),
            p: UInt32(try reader.number(4)))
        let salt = try reader.bytes(saltSize)
        switch kind {
        case 0: return .none
        case 1 where cost.isReasonable: return .scrypt(cost, salt: salt)
        default: throw DamagedContents()
        }
    }

    /// Whether a master key is the one that the file was written with.
    func fits(_ master: Secret) -> Bool {
        Secret(Self.check(derivation, keyID, master)) == Secret(check)
    }

    /// The bytes of the header.
    var bytes: [UInt8] {
        let start = Self.start(derivation, keyID) + check
        return start + Cryptography.sha256(start)
    }

    private static func start(_ derivation: Derivation, _ keyID: [UInt8]) -> [UInt8] {
        var bytes = magic + [version]
        switch derivation {
        case .none: bytes += [UInt8](repeating: 0, count: 10 + saltSize)
        case .scrypt(let cost, let salt):
            bytes += [1, cost.logN]
            bytes.append(UInt64(cost.r), bytes: 4)
            bytes.append(UInt64(cost.p), bytes: 4)
            bytes += salt
        }
        return bytes + keyID
    }

    private static func check(
        _ derivation: Derivation, _ keyID: [UInt8], _ master: Secret
    ) -> [UInt8] {
        let key = Cryptography.hkdf(master, info: Array("check".utf8) + keyID)
        return Cryptography.hmac(start(derivation, keyID), key: key)
    }
}
