internal import LedgerRows

/// A named step of the schema. It is never edited once it was released.
struct PostgresMigration: Sendable {
    let name: String
    /// Each is one statement.
    let statements: [String]
}

/// The tables of the ledger in PostgreSQL. They have a namespace of their own, so that other programs may use the same
/// database.
enum PostgresSchema {
    /// The namespace.
    static let name = "homeport"

    /// Their number is the version.
    static let migrations = [
        PostgresMigration(name: "homes", statements: clock + homes),
        PostgresMigration(name: "commands", statements: commands + events),
        PostgresMigration(name: "devices", statements: devices),
        PostgresMigration(name: "schedules and rules", statements: schedules + rules),
        PostgresMigration(name: "attempts", statements: attempts),
        PostgresMigration(name: "instances", statements: instances),
        PostgresMigration(name: "kept settings", statements: keptSettings),
        PostgresMigration(name: "history", statements: history),
    ]

    /// Raises the error of who does not own a home.
    static let fence =
        "RAISE EXCEPTION 'another process owns the home' USING ERRCODE = '\(PostgresFailure.fencedState)'"

    /// Refuses changes of a log.
    static func protection(of table: String) -> [String] {
        [
            """
            CREATE TRIGGER \(table)IsOnlyAddedTo BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
                FOR EACH STATEMENT EXECUTE FUNCTION refuseChange()
            """
        ]
    }

    /// The one clock of all machines, in milliseconds since 1970.
    private static let clock = [
        """
        CREATE FUNCTION ledgerClock() RETURNS bigint LANGUAGE sql VOLATILE AS
            'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
        """
    ]

    static let noHash = "decode(repeat('00', \(SHA256.size)), 'hex')"
    static let hash = "bytea NOT NULL CHECK (octet_length(hash) = \(SHA256.size))"
}
