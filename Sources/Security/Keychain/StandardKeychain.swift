internal import Basics

/// Finds the keychain of the user.
public enum StandardKeychain {
    /// The backends that `HOMEPORT_KEYCHAIN` can name.
    private enum Backend: String, CaseIterable {
        case file
        case secretService = "secret-service"
    }

    /// The user's keychain: the file `$XDG_STATE_HOME/homeport/keychain`, with the master key that
    /// `HOMEPORT_KEYCHAIN_KEY` names, else the key file beside it; with
    /// `HOMEPORT_KEYCHAIN=secret-service` that of the desktop session. There is no other order: a backend
    /// that cannot be used is an error.
    /// - Throws: ``KeychainError`` `invalidKeySource`; `unavailable` where the user has no home folder.
    public static func open() throws(KeychainError) -> any UserKeychain {
        try open(environment: ProcessEnvironment.value(of:))
    }

    /// The keychain that other variables name.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    package static func open(
        environment: (String) -> String?
    ) throws(KeychainError) -> any UserKeychain {
        let path = try stateFolder(environment) + "/homeport/keychain"
        switch try backend(environment) {
        case .secretService: return SecretServiceKeychain(lockPath: path + ".lock")
        case .file:
            guard let named = environment("HOMEPORT_KEYCHAIN_KEY") else {
                return EncryptedFileKeychain(path: path, key: .keyFile(path + ".key"))
            }
            return EncryptedFileKeychain(path: path, key: try MasterKeySource(named))
        }
    }

    private static func backend(
        _ environment: (String) -> String?
    ) throws(KeychainError) -> Backend {
        guard let named = environment("HOMEPORT_KEYCHAIN") else { return .file }
        guard let backend = Backend(rawValue: named) else {
            throw KeychainError(
                .invalidKeySource, "HOMEPORT_KEYCHAIN is file or secret-service, not \(named)")
        }
        return backend
    }

    /// The folder of the user's state: `$XDG_STATE_HOME`, else `~/.local/state`.
    /// - Throws: ``KeychainError`` `unavailable` where the user has no home folder.
    package static func stateFolder(
        _ environment: (String) -> String? = ProcessEnvironment.value(of:)
    ) throws(KeychainError) -> String {
        guard let folder = ProcessEnvironment.stateFolder(environment) else {
            throw KeychainError(.unavailable, "no folder for the keychain: HOME is not set")
        }
        return folder
    }
}
