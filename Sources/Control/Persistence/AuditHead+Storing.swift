internal import GRDB
internal import LedgerRows

extension AuditHead {
    /// - Throws: ``DamagedColumn`` if the table holds what was never written.
    static func fetch(in db: Database) throws -> AuditHead {
        let row = try StoredValue.required(
            Row.fetchOne(db.cachedStatement(sql: selection)), "the end of the log")
        var columns = ColumnReader(SQLiteRow(row))
        return AuditHead(
            number: try columns.integer("number"),
            hash: try StoredValue.required(SHA256(stored: columns.bytes("hash")), "hash"))
    }

    func store(in db: Database) throws {
        try db.cachedStatement(sql: Self.replacement).execute(arguments: [number, Blob(hash.bytes)])
    }

    // MARK: Statements

    /// What adding to the log runs.
    static let statements = [selection, replacement]

    private static let selection = "SELECT number, hash FROM auditHead"
    private static let replacement = "UPDATE auditHead SET number = ?, hash = ?"
}
