internal import GRDB

/// What the header of a database file says.
struct LedgerHeader {
    let applicationID: Int
    let version: Int
    let isEmpty: Bool

    init(_ db: Database) throws {
        let early = try Self.applicationID(in: db)
        // Another process may make the ledger at this moment, in one transaction: whoever sees its
        // tables sees its mark as well, but only afterwards.
        isEmpty =
            try early == 0 && Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
        applicationID = early == 0 ? try Self.applicationID(in: db) : early
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    private static func applicationID(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    }

    var isCurrent: Bool {
        applicationID == LedgerSchema.applicationID && version == LedgerSchema.migrations.count
    }
}
