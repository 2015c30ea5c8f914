internal import GRDB

/// The end of the chain: the number and the hash of the last entry. It is kept beside the log, so that
/// entries that are missing at its end show.
struct AuditHead: Hashable, Sendable {
    let number: Int64
    let hash: SHA256

    /// - Throws: `DatabaseError` if the table holds what was never written.
    static func fetch(in db: Database) throws -> AuditHead {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: selection)) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "the end of the log is missing")
        }
        return AuditHead(
            number: row["number"],
            hash: try StoredValue.required(SHA256(stored: row["hash"]), "hash"))
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
