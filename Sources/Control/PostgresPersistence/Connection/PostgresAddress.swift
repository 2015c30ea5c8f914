internal import CPostgreSQL
public import DeviceControl

/// Where a PostgreSQL database is, as a URL. It holds no password, so that it may be shown.
public struct PostgresAddress: Hashable, Sendable, CustomStringConvertible {
    /// `postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE`, with whatever libpq knows.
    let url: String

    public var description: String { url }

    /// Whether a text is the URL of such a database.
    public static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Reads a URL.
    /// - Throws: ``LedgerError`` `unreachable` where libpq is not installed, `failed` for a URL that cannot be read
    ///   or that holds a password.
    public init(_ url: String) throws(LedgerError) {
        if let reason = cpostgresql_unavailable() {
            throw LedgerError(
                .unreachable, "no connection to PostgreSQL: \(String(cString: reason))")
        }
        switch cpostgresql_check(url) {
        case cpostgresql_with_password:
            throw LedgerError(
                .failed,
                "the URL of the database holds a password, which lists of processes show; write it into "
                    + "~/.pgpass or a service file of PostgreSQL and leave it out of the URL")
        case cpostgresql_unreadable:
            // What it is like is not told: it may hold a password.
            throw LedgerError(
                .failed,
                "the URL of the database cannot be read; write it as "
                    + "postgresql://USER@HOST:PORT/DATABASE, with % and two digits for special characters"
            )
        default: self.url = url
        }
    }
}
