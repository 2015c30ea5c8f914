/// Secrets in an encrypted file that its user alone can read (docs/keychain.md). Any number of processes
/// may use it at once.
public final class EncryptedFileKeychain: UserKeychain {
    /// The file.
    public let path: String
    /// Where the master key comes from.
    public let keySource: MasterKeySource
    /// Called behind each step of a write of the keychain and of the key file: tests end the process there.
    private let onStep: @Sendable (PrivateFile.Step) -> Void

    /// A keychain; nothing is read or made.
    public convenience init(path: String, key: MasterKeySource) {
        self.init(path: path, key: key) { _ in }
    }

    init(
        path: String, key: MasterKeySource,
        onStep: @escaping @Sendable (PrivateFile.Step) -> Void
    ) {
        self.path = path
        keySource = key
        self.onStep = onStep
    }

    public var place: KeychainPlace {
        KeychainPlace(backend: "encrypted-file", file: path, key: keySource)
    }

    // MARK: Service

    public func get(_ name: SecretName) async throws(KeychainError) -> Secret? {
        try await blocking { [self] () throws(KeychainError) in try read(name) }
    }

    public func set(_ secret: Secret, for name: SecretName) async throws(KeychainError) {
        _ = try await blocking { [self] () throws(KeychainError) in
            try change(making: true) { vault throws(KeychainError) in
                try vault.set(secret, for: name)
                return true
            }
        }
    }

    public func remove(_ name: SecretName) async throws(KeychainError) -> Bool {
        try await blocking { [self] () throws(KeychainError) in
            try change(making: false) { $0.remove(name) }
        }
    }

    public func keys() async throws(KeychainError) -> [SecretName] {
        try await blocking { [self] () throws(KeychainError) in try vault()?.names ?? [] }
    }

    public func compareAndSet(
        _ name: SecretName, from expected: Secret?, to new: Secret?
    ) async throws(KeychainError) -> Bool {
        try await blocking { [self] () throws(KeychainError) in
            try change(making: new != nil) { vault throws(KeychainError) in
                guard try secret(name, in: vault) == expected else { return false }
                if let new { try vault.set(new, for: name) } else { _ = vault.remove(name) }
                return true
            }
        }
    }

    public func rotate() async throws(KeychainError) {
        try await blocking { [self] () throws(KeychainError) in try changeKey() }
    }

    public func check() async throws(KeychainError) -> Int? {
        try await blocking { [self] () throws(KeychainError) in
            guard let vault = try vault() else { return nil }
            for name in vault.names { _ = try secret(name, in: vault) }
            return vault.names.count
        }
    }

    public func read(_ name: SecretName) throws(KeychainError) -> Secret? {
        guard let vault = try vault() else { return nil }
        return try secret(name, in: vault)
    }

    // MARK: The file

    private var file: PrivateFile { PrivateFile(path: path, onStep: onStep) }
    private var masterKeys: MasterKeys { MasterKeys(source: keySource, onStep: onStep) }

    /// The contents; `nil` if there is no file.
    private func vault() throws(KeychainError) -> Vault? {
        guard let contents = try file.read() else { return nil }
        let bytes = contents.withUnsafeBytes { Array($0) }
        do {
            let header = try VaultHeader(bytes[...])
            let key = try masterKeys.key(for: header)
            return try Vault(bytes, header: header, master: key)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw damaged
        }
    }

    private func secret(_ name: SecretName, in vault: Vault) throws(KeychainError) -> Secret? {
        do throws(DamagedContents) {
            return try vault.secret(name)
        } catch {
            throw damaged
        }
    }

    private var damaged: KeychainError {
        KeychainError(
            .damaged,
            "the keychain \(path) is damaged or of a newer version; restore it from a copy, or move it "
                + "away to begin a new one")
    }

    // MARK: Changes

    /// Changes the contents while no other process does.
    /// - Parameters:
    ///   - making: whether a keychain is made where there is none.
    ///   - body: returns whether it has changed anything.
    private func change(
        making: Bool, _ body: (inout Vault) throws(KeychainError) -> Bool
    ) throws(KeychainError) -> Bool {
        if !making, try file.read() == nil { return false }
        let lock = try KeychainLock(making: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var vault: Vault
        if let known = try self.vault() {
            vault = known
        } else {
            guard making else { return false }
            let (derivation, key) = try masterKeys.first()
            vault = try Vault(derivation, master: key)
        }
        guard try body(&vault) else { return false }
        try file.write(Secret(vault.bytes))
        return true
    }

    private func changeKey() throws(KeychainError) {
        guard try file.read() != nil else {
            throw KeychainError(.notFound, "there is no keychain at \(path) yet")
        }
        let lock = try KeychainLock(making: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        guard var vault = try self.vault() else { return }
        try masterKeys.change(from: vault.master) { derivation, key throws(KeychainError) in
            guard try vault.rotate(derivation, to: key) else { throw self.damaged }
            try self.file.write(Secret(vault.bytes))
        }
    }
}
