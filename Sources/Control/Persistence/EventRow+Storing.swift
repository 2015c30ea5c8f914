internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

extension EventRow {
    /// Adds an event to the log behind its end.
    /// - Returns: the new end.
    static func insert(_ event: LedgerEvent, after head: AuditHead, into db: Database) throws
        -> AuditHead
    {
        let row = AuditRow(event, number: head.number + 1)
        let hash = row.hash(after: head.hash)
        try db.cachedStatement(sql: insertion).execute(
            arguments: StatementArguments(row.values(with: hash)))
        return AuditHead(number: row.number, hash: hash)
    }

    /// Whether the log has evidence with the same bytes or, where it has none, the same content.
    static func has(_ evidence: LedgerEvent, in db: Database) throws -> Bool {
        let sameBytes = "raw = ?"
        let sameContent = "raw IS NULL AND detail = ?"
        let hasBytes = !evidence.raw.isEmpty
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM event WHERE command = ? AND kind = ?
                        AND \(hasBytes ? sameBytes : sameContent))
                    """),
            arguments: [
                Blob(evidence.command.bytes), evidence.kind.rawValue,
                hasBytes ? Blob(evidence.raw) : Blob(evidence.detail),
            ]) ?? false
    }

    /// The events of a command, in the order in which they were written.
    static func fetchAll(of id: CommandID, in db: Database) throws -> [LedgerEvent] {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(list(columns)) FROM event WHERE command = ? ORDER BY number",
            arguments: [Blob(id.bytes)])
        var events: [LedgerEvent] = []
        while let row = try rows.next() { events.append(try event(SQLiteRow(row))) }
        return events
    }

    // MARK: Statements

    /// What adding to the log runs.
    static let statements = [insertion] + AuditHead.statements

    private static let insertion =
        "INSERT INTO event (\(list(AuditRow.columns))) VALUES (\(marks(for: AuditRow.columns)))"
}

extension AuditRow {
    /// The rows after a number, in order.
    static func fetch(after number: Int, in db: Database) throws -> RowCursor {
        try Row.fetchCursor(db.cachedStatement(sql: selection), arguments: [number])
    }

    private static let selection =
        "SELECT \(list(columns)) FROM event WHERE number > ? ORDER BY number"
}
