/// Where the master key of a keychain comes from.
public enum MasterKeySource: Hashable, Sendable {
    /// A file with the key, made at the first `set`.
    case keyFile(String)
    /// A file whose first line is a passphrase.
    case passphrase(String)
    /// A credential of the service manager, by its name: a file in `$CREDENTIALS_DIRECTORY`.
    case systemd(String)

    /// Reads `file:PATH`, `passphrase:PATH` or `systemd:NAME`.
    /// - Throws: ``KeychainError`` `invalidKeySource`.
    public init(_ text: String) throws(KeychainError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(parts[1]) : ""
        switch parts.first {
        case "file" where !value.isEmpty: self = .keyFile(value)
        case "passphrase" where !value.isEmpty: self = .passphrase(value)
        case "systemd" where !value.isEmpty && !value.contains("/") && value != "..":
            self = .systemd(value)
        default:
            throw KeychainError(
                .invalidKeySource,
                "HOMEPORT_KEYCHAIN_KEY is file:PATH, passphrase:PATH or systemd:NAME")
        }
    }
}
