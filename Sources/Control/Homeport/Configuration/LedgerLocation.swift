#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Where a ledger is stored.
public enum LedgerLocation: Hashable, Sendable {
    /// `$HOMEPORT_DATABASE`, else `$XDG_STATE_HOME/homeport/ledger.sqlite`: the ledger of the
    /// command line.
    case standard
    /// In a file, which is made where there is none.
    case file(String)
    /// In memory, for as long as the home runs: for tests.
    case memory

    /// The path of the file; `nil` for a ledger in memory.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    /// - Throws: ``HomeError`` `configuration` where the user has no home folder.
    package func path(
        environment: (String) -> String? = variable(_:)
    ) throws(HomeError) -> String? {
        switch self {
        case .memory: return nil
        case .file(let path): return path
        case .standard:
            if let named = environment("HOMEPORT_DATABASE") { return named }
            return try Self.stateFolder(environment) + "/homeport/ledger.sqlite"
        }
    }

    /// `$XDG_STATE_HOME` if it is absolute, as the XDG base directory specification asks, else its
    /// default.
    private static func stateFolder(
        _ environment: (String) -> String?
    ) throws(HomeError) -> String {
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state" }
        throw HomeError(
            .configuration, "no folder for the ledger: HOME is not set; pass --database FILE")
    }

    /// The value of an environment variable; `nil` where it is unset or empty.
    package static func variable(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }
}
