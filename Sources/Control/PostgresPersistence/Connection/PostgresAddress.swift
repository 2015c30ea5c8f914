internal import CPostgreSQL
public import DeviceControl

/// Where a PostgreSQL database is, as a URL. It holds no password, so that it may be shown.
public struct PostgresAddress: Hashable, Sendable, CustomStringConvertible {
    /// `postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE`, with whatever libpq knows.
    let url: String

    public var description: String { url }

    /// Whether a text is a URL, and so no path of a file. One of another scheme cannot be read as an address.
    public static func isURL(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        return colon > text.startIndex && text[colon...].hasPrefix("://")
            && text[..<colon].utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "."),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
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
