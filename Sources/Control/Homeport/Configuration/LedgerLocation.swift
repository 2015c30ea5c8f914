internal import Basics
internal import PostgresPersistence

/// Where a ledger is stored.
public enum LedgerLocation: Hashable, Sendable {
    /// `$HOMEPORT_DATABASE`, else `$XDG_STATE_HOME/homeport/ledger.sqlite`: the ledger of the
    /// command line.
    case standard
    /// In a file, which is made where there is none.
    case file(String)
    /// In a PostgreSQL database, by its URL, which holds no password: `postgresql://USER@HOST/DATABASE`.
    case server(String)
    /// In memory, for as long as the home runs: for tests.
    case memory

    /// A file, or a database by its URL.
    package init(named text: String) {
        self = Self.isServer(text) ? .server(text) : .file(text)
    }

    /// Whether a text is the URL of a database and not the path of a file.
    package static func isServer(_ text: String) -> Bool { PostgresAddress.isURL(text) }

    /// The path of the file; `nil` for a ledger in memory or in a database.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    /// - Throws: ``HomeError`` `configuration` where the user has no home folder.
    package func path(
        environment: (String) -> String? = ProcessEnvironment.value(of:)
    ) throws(HomeError) -> String? {
        switch try named(environment: environment) {
        case .file(let path): path
        case .server, .memory, .standard: nil
        }
    }

    /// The URL of the database; `nil` for a ledger that is elsewhere.
    /// - Throws: as ``path(environment:)``.
    package func url() throws(HomeError) -> String? {
        switch try named(environment: ProcessEnvironment.value(of:)) {
        case .server(let url): url
        case .file, .memory, .standard: nil
        }
    }

    /// Whether several machines may share it. Where that cannot be told, opening it says why.
    var isShared: Bool { (try? url()) != nil }

    /// The same with what ``standard`` stands for.
    private func named(environment: (String) -> String?) throws(HomeError) -> LedgerLocation {
        guard self == .standard else { return self }
        if let named = environment("HOMEPORT_DATABASE") { return LedgerLocation(named: named) }
        guard let folder = ProcessEnvironment.stateFolder(environment) else {
            throw HomeError(
                .configuration,
                "no folder for the ledger: HOME is not set; pass --database FILE")
        }
        return .file(folder + "/homeport/ledger.sqlite")
    }
}
