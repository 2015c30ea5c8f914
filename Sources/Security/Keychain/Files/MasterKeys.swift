internal import Basics
internal import Glibc

/// Finds, makes and changes the master key of a keychain.
struct MasterKeys: Sendable {
    let source: MasterKeySource
    /// Called behind each step of a write of the key file.
    var onStep: @Sendable (PrivateFile.Step) -> Void = { _ in }

    /// The key that a file was written with.
    /// - Throws: ``KeychainError`` `wrongKey` if there is none that fits, `unsafe`, `unavailable`.
    func key(for header: VaultHeader) throws(KeychainError) -> Secret {
        for key in try candidates(for: header) where header.fits(key) { return key }
        throw KeychainError(
            .wrongKey,
            "\(description) does not fit the keychain; give the one that it was written with")
    }

    private func candidates(for header: VaultHeader) throws(KeychainError) -> [Secret] {
        switch (source, header.derivation) {
        case (.keyFile(let path), .none):
            let keys = try keyFile(path).keys()
            guard !keys.isEmpty else {
                throw KeychainError(
                    .wrongKey, "the key file \(path) of the keychain is missing; restore it")
            }
            return keys
        case (.systemd(let name), .none): return [try credential(name)]
        case (.passphrase(let path), .scrypt(let cost, let salt)):
            return [try derive(path, salt, cost)]
        case (.keyFile, .scrypt), (.systemd, .scrypt):
            throw KeychainError(
                .wrongKey,
                "the keychain needs a passphrase: set HOMEPORT_KEYCHAIN_KEY=passphrase:PATH")
        case (.passphrase, .none):
            throw KeychainError(
                .wrongKey, "the keychain has a key, not a passphrase: correct HOMEPORT_KEYCHAIN_KEY"
            )
        }
    }

    /// A key for a new keychain; a key file is made where it is missing.
    func first() throws(KeychainError) -> (VaultHeader.Derivation, Secret) {
        switch source {
        case .keyFile(let path):
            let file = keyFile(path)
            if let key = try file.keys().last { return (.none, key) }
            let key = try Cryptography.randomKey()
            try file.write([key])
            return (.none, key)
        case .systemd(let name): return (.none, try credential(name))
        case .passphrase(let path): return try newDerivation(path)
        }
    }

    /// Changes the key of a keychain. A crash at any moment leaves a key file that fits.
    /// - Parameter replace: writes the keychain with the new key.
    func change(
        from old: Secret,
        _ replace: (VaultHeader.Derivation, Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        switch source {
        case .keyFile(let path):
            let new = try Cryptography.randomKey()
            try keyFile(path).write([old, new])
            try replace(.none, new)
            try keyFile(path).write([new])
        case .passphrase(let path):
            let (derivation, key) = try newDerivation(path)
            try replace(derivation, key)
        case .systemd(let name):
            throw KeychainError(
                .unavailable,
                "the master key is the credential \(name) of the service manager, which this program "
                    + "cannot change; move to a key file first")
        }
    }

    private func newDerivation(
        _ path: String
    ) throws(KeychainError) -> (VaultHeader.Derivation, Secret) {
        let salt = try Cryptography.random(VaultHeader.saltSize)
        let key = try derive(path, salt, .standard)
        return (.scrypt(.standard, salt: salt), key)
    }

    // MARK: Sources

    private func keyFile(_ path: String) -> KeyFile {
        KeyFile(file: PrivateFile(path: path, onStep: onStep))
    }

    private func derive(
        _ path: String, _ salt: [UInt8], _ cost: ScryptCost
    ) throws(KeychainError) -> Secret {
        guard let text = try PrivateFile(path: path).read() else {
            throw KeychainError(.wrongKey, "there is no passphrase file \(path)")
        }
        let line = text.withUnsafeBytes { Secret($0.prefix { $0 != UInt8(ascii: "\n") }) }
        guard line.count > 0 else {
            throw KeychainError(
                .wrongKey, "the first line of \(path) is no passphrase: it is empty")
        }
        guard let key = Cryptography.scrypt(line, salt: salt, cost) else {
            throw KeychainError(.system, "there is not enough memory for scrypt")
        }
        return key
    }

    private func credential(_ name: String) throws(KeychainError) -> Secret {
        guard let folder = ProcessEnvironment.value(of: "CREDENTIALS_DIRECTORY") else {
            throw KeychainError(
                .unavailable,
                "CREDENTIALS_DIRECTORY is not set: the service manager gives credentials to services "
                    + "with LoadCredentialEncrypted=\(name):…")
        }
        let path = folder + "/" + name
        guard let key = try PrivateFile(path: path).read(.serviceManager) else {
            throw KeychainError(
                .wrongKey,
                "there is no credential \(path); add LoadCredentialEncrypted=\(name):FILE to the unit "
                    + "of the service")
        }
        guard key.count == Cryptography.keySize else {
            throw KeychainError(
                .wrongKey,
                "the credential \(name) has \(key.count) bytes, not \(Cryptography.keySize); make one "
                    + "with `head -c \(Cryptography.keySize) /dev/urandom | systemd-creds encrypt "
                    + "--name=\(name) - FILE`")
        }
        return key
    }

    private var description: String {
        switch source {
        case .keyFile(let path): "the key in \(path)"
        case .passphrase(let path): "the passphrase in \(path)"
        case .systemd(let name): "the credential \(name)"
        }
    }
}
