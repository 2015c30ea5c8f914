/// The contents of a keychain's file, with the key that opens them. A value: it does no I/O.
struct Vault: Sendable {
    /// Bytes of a secret at most.
    static let largestSecret = 64 << 10
    private static let codeSize = Cryptography.keySize

    private(set) var header: VaultHeader
    /// Rises with each change, so that an older file shows beside a newer one.
    private(set) var counter: UInt64
    private var records: [SecretName: VaultRecord]
    private(set) var master: Secret

    /// An empty keychain.
    init(_ derivation: VaultHeader.Derivation, master: Secret) throws(KeychainError) {
        let id = try Cryptography.random(VaultHeader.keyIDSize)
        header = VaultHeader(derivation, keyID: id, master: master)
        counter = 0
        records = [:]
        self.master = master
    }

    /// Reads a file.
    /// - Parameter master: a key that ``VaultHeader/fits(_:)``.
    /// - Throws: `DamagedContents` unless the file is as it was written.
    init(_ bytes: [UInt8], header: VaultHeader, master: Secret) throws(DamagedContents) {
        self.header = header
        self.master = master
        guard bytes.count > VaultHeader.size + Self.codeSize else { throw DamagedContents() }
        let content = bytes.dropLast(Self.codeSize)
        let code = Cryptography.hmac(Array(content), key: Self.authenticationKey(header, master))
        guard Array(bytes.suffix(Self.codeSize)) == code else { throw DamagedContents() }
        var reader = ByteReader(content.dropFirst(VaultHeader.size))
        counter = try reader.number(8)
        records = [:]
        for _ in 0..<(try reader.number(4)) {
            let record = try VaultRecord(&reader)
            guard records.updateValue(record, forKey: record.name) == nil else {
                throw DamagedContents()
            }
        }
        guard reader.isAtEnd else { throw DamagedContents() }
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes = header.bytes
        bytes.append(counter, bytes: 8)
        bytes.append(UInt64(records.count), bytes: 4)
        for name in names { bytes += records[name]?.bytes ?? [] }
        return bytes + Cryptography.hmac(bytes, key: Self.authenticationKey(header, master))
    }

    /// The names of the secrets, sorted.
    var names: [SecretName] { records.keys.sorted() }

    /// A secret; `nil` if there is none.
    /// - Throws: `DamagedContents`.
    func secret(_ name: SecretName) throws(DamagedContents) -> Secret? {
        guard let record = records[name] else { return nil }
        guard let secret = record.secret(wrappingKey) else { throw DamagedContents() }
        return secret
    }

    // MARK: Changes

    /// Stores a secret.
    mutating func set(_ secret: Secret, for name: SecretName) throws(KeychainError) {
        try Self.checkSize(of: secret)
        records[name] = try VaultRecord(
            secret, for: name, generation: (records[name]?.generation ?? 0) + 1,
            wrappingKey: wrappingKey)
        counter += 1
    }

    /// - Throws: ``KeychainError`` `invalidSecret` for a secret that no keychain can hold.
    static func checkSize(of secret: Secret) throws(KeychainError) {
        guard (1...largestSecret).contains(secret.count) else {
            throw KeychainError(
                .invalidSecret, "a secret has 1 to \(largestSecret) bytes, not \(secret.count)")
        }
    }

    /// Removes a secret.
    /// - Returns: whether there was one.
    mutating func remove(_ name: SecretName) -> Bool {
        guard records.removeValue(forKey: name) != nil else { return false }
        counter += 1
        return true
    }

    /// Encrypts the keys of all secrets with another master key.
    /// - Returns: `false` if a record is not as it was written; nothing has changed then.
    mutating func rotate(
        _ derivation: VaultHeader.Derivation, to new: Secret
    ) throws(KeychainError) -> Bool {
        let header = VaultHeader(
            derivation, keyID: try Cryptography.random(VaultHeader.keyIDSize), master: new)
        let key = Self.wrappingKey(header, new)
        var rewrapped: [SecretName: VaultRecord] = [:]
        for (name, record) in records {
            guard let record = try record.rewrapped(from: wrappingKey, to: key) else {
                return false
            }
            rewrapped[name] = record
        }
        (self.header, records, master) = (header, rewrapped, new)
        counter += 1
        return true
    }

    // MARK: Keys

    private var wrappingKey: Secret { Self.wrappingKey(header, master) }

    private static func wrappingKey(_ header: VaultHeader, _ master: Secret) -> Secret {
        Cryptography.hkdf(master, info: Array("kek".utf8) + header.keyID)
    }

    private static func authenticationKey(_ header: VaultHeader, _ master: Secret) -> Secret {
        Cryptography.hkdf(master, info: Array("mac".utf8) + header.keyID)
    }
}
