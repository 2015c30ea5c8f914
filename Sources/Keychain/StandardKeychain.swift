internal import Glibc

extension EncryptedFileKeychain {
    /// The user's keychain: `$XDG_STATE_HOME/homeport/keychain`, with the master key that
    /// `HOMEPORT_KEYCHAIN_KEY` names, else the key file beside it.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    /// - Throws: ``KeychainError`` `invalidKeySource`; `unavailable` where the user has no home folder.
    public static func standard(
        environment: (String) -> String? = variable(_:)
    ) throws(KeychainError) -> EncryptedFileKeychain {
        let path = try stateFolder(environment) + "/homeport/keychain"
        guard let named = environment("HOMEPORT_KEYCHAIN_KEY") else {
            return EncryptedFileKeychain(path: path, key: .keyFile(path + ".key"))
        }
        return EncryptedFileKeychain(path: path, key: try MasterKeySource(named))
    }

    private static func stateFolder(
        _ environment: (String) -> String?
    ) throws(KeychainError) -> String {
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state" }
        throw KeychainError(.unavailable, "no folder for the keychain: HOME is not set")
    }

    /// The value of an environment variable; `nil` where it is unset or empty.
    public static func variable(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }
}
