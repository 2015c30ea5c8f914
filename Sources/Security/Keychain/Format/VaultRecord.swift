/// A secret in a keychain's file: encrypted with a key of its own, which is encrypted with the master key's
/// (docs/keychain.md).
struct VaultRecord: Hashable, Sendable {
    let name: SecretName
    /// How often a secret of this name was stored.
    let generation: UInt64
    /// The record's own key, encrypted.
    let wrappedKey: SealedBox
    /// The secret, encrypted.
    let contents: SealedBox

    /// Encrypts a secret.
    init(
        _ secret: Secret, for name: SecretName, generation: UInt64, wrappingKey: Secret
    ) throws(KeychainError) {
        let key = try Cryptography.randomKey()
        let associated = Self.associatedData(name, generation)
        self.name = name
        self.generation = generation
        wrappedKey = try Cryptography.seal(key, key: wrappingKey, for: associated)
        contents = try Cryptography.seal(secret, key: key, for: associated)
    }

    private init(
        _ name: SecretName, _ generation: UInt64, wrappedKey: SealedBox, contents: SealedBox
    ) {
        self.name = name
        self.generation = generation
        self.wrappedKey = wrappedKey
        self.contents = contents
    }

    /// Decrypts the secret.
    /// - Returns: `nil` if the record is not as it was written.
    func secret(_ wrappingKey: Secret) -> Secret? {
        key(wrappingKey).flatMap { Cryptography.open(contents, key: $0, for: associatedData) }
    }

    /// The same secret under another master key; its own key and ciphertext stay.
    /// - Returns: `nil` if the record is not as it was written.
    func rewrapped(from old: Secret, to new: Secret) throws(KeychainError) -> VaultRecord? {
        guard let key = key(old) else { return nil }
        let wrapped = try Cryptography.seal(key, key: new, for: associatedData)
        return VaultRecord(name, generation, wrappedKey: wrapped, contents: contents)
    }

    private func key(_ wrappingKey: Secret) -> Secret? {
        Cryptography.open(wrappedKey, key: wrappingKey, for: associatedData)
    }

    private var associatedData: [UInt8] { Self.associatedData(name, generation) }

    /// What binds a ciphertext to its place: without it records could be swapped or replaced by older ones.
    private static func associatedData(_ name: SecretName, _ generation: UInt64) -> [UInt8] {
        var bytes = [VaultHeader.version]
        bytes.append(text: name.service)
        bytes.append(text: name.account)
        bytes.append(generation, bytes: 8)
        return bytes
    }

    // MARK: Bytes

    /// - Throws: `DamagedContents`.
    init(_ reader: inout ByteReader) throws(DamagedContents) {
        let service = try reader.text()
        let account = try reader.text()
        do throws(KeychainError) {
            name = try SecretName(account, service: service)
        } catch {
            throw DamagedContents()
        }
        generation = try reader.number(8)
        wrappedKey = try Self.box(Cryptography.keySize, &reader)
        contents = try Self.box(Int(try reader.number(4)), &reader)
    }

    private static func box(
        _ count: Int, _ reader: inout ByteReader
    ) throws(DamagedContents) -> SealedBox {
        SealedBox(
            nonce: try reader.bytes(Cryptography.nonceSize), bytes: try reader.bytes(count),
            tag: try reader.bytes(Cryptography.tagSize))
    }

    /// The bytes of the record.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: name.service)
        bytes.append(text: name.account)
        bytes.append(generation, bytes: 8)
        bytes += wrappedKey.nonce + wrappedKey.bytes + wrappedKey.tag
        bytes.append(UInt64(contents.bytes.count), bytes: 4)
        return bytes + contents.nonce + contents.bytes + contents.tag
    }
}
