internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// An event of the log as columns.
struct EventRow {
    let event: LedgerEvent

    /// Reads a row of the table `event`. A state that only a newer version knows is left out of
    /// the event and told in its detail, as `state`, so that the rest of the log can be read.
    /// - Throws: `DatabaseError` if a column holds what was never written.
    init(_ row: Row) throws {
        let command: Blob = row["command"]
        let detail: Blob = row["detail"]
        let raw: Blob? = row["raw"]
        let state: String? = row["state"]
        var event = LedgerEvent(
            LedgerEvent.Kind(rawValue: row["kind"]),
            of: try StoredValue.required(CommandID(bytes: command.bytes), "command"),
            at: Timestamp(milliseconds: row["at"]), cause: row["cause"],
            state: state.flatMap(CommandState.init(rawValue:)),
            detail: try StoredValue.required(detail.object, "detail"), raw: raw?.bytes ?? [])
        if let state, event.state == nil { event.detail["state"] = .string(state) }
        self.event = event
    }

    /// Adds an event to the log behind its end.
    /// - Returns: the new end.
    static func insert(_ event: LedgerEvent, after head: AuditHead, into db: Database) throws
        -> AuditHead
    {
        let row = AuditRow(event, number: head.number + 1)
        let hash = SHA256.digest(of: row.content(after: head.hash))
        try db.cachedStatement(sql: insertion).execute(arguments: [
            row.number, row.command, row.kind, row.at, row.cause, row.state, row.detail, row.raw,
            Blob(hash.bytes),
        ])
        return AuditHead(number: row.number, hash: hash)
    }

    /// Whether the log has evidence with the same bytes or, where it has none, the same content.
    static func has(_ evidence: LedgerEvent, in db: Database) throws -> Bool {
        let sameBytes = "raw = ?"
        let sameContent = "raw IS NULL AND detail = ?"
        let raw = raw(of: evidence)
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM event WHERE command = ? AND kind = ?
                        AND \(raw == nil ? sameContent : sameBytes))
                    """),
            arguments: [
                Blob(evidence.command.bytes), evidence.kind.rawValue, raw ?? Blob(evidence.detail),
            ]) ?? false
    }

    /// The events of a command, in the order in which they were written.
    static func fetchAll(of id: CommandID, in db: Database) throws -> [LedgerEvent] {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM event WHERE command = ? ORDER BY number",
            arguments: [Blob(id.bytes)])
        var events: [LedgerEvent] = []
        while let row = try rows.next() { events.append(try EventRow(row).event) }
        return events
    }

    private static func raw(of event: LedgerEvent) -> Blob? {
        event.raw.isEmpty ? nil : Blob(event.raw)
    }

    // MARK: Statements

    /// What adding to the log runs.
    static let statements = [insertion] + AuditHead.statements

    private static let insertion = """
        INSERT INTO event (number, \(columns), hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static let columns = "command, kind, at, cause, state, detail, raw"
}
