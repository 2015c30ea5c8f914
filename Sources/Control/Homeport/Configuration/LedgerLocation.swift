internal import Basics

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
        environment: (String) -> String? = ProcessEnvironment.value(of:)
    ) throws(HomeError) -> String? {
        switch self {
        case .memory: return nil
        case .file(let path): return path
        case .standard:
            if let named = environment("HOMEPORT_DATABASE") { return named }
            guard let folder = ProcessEnvironment.stateFolder(environment) else {
                throw HomeError(
                    .configuration,
                    "no folder for the ledger: HOME is not set; pass --database FILE")
            }
            return folder + "/homeport/ledger.sqlite"
        }
    }
}
