public import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger: AuditLog {
    public func entries(after number: Int, limit: Int) async throws(LedgerError) -> [AuditEntry] {
        try await database.read { db in
            var previous = try hash(of: number, in: db)
            var entries: [AuditEntry] = []
            let rows = try AuditRow.fetch(after: number, in: db)
            while entries.count < limit,
                let row = try rows.next().map({ try AuditRow(SQLiteRow($0)) })
            {
                entries.append(AuditEntry(row, after: previous))
                previous = row.hash ?? .none
            }
            return entries
        }
    }

    private func hash(of number: Int, in db: Database) throws -> SHA256 {
        let blob = try Blob.fetchOne(
            db, sql: "SELECT hash FROM event WHERE number = ?", arguments: [number])
        return SHA256(stored: blob?.bytes) ?? .none
    }

    public func verify() async throws(LedgerError) -> AuditReport {
        try await database.read { db in
            var check = AuditCheck()
            let rows = try AuditRow.fetch(after: 0, in: db)
            while let row = try rows.next() { check.take(try AuditRow(SQLiteRow(row))) }
            check.end(at: try AuditHead.fetch(in: db))
            try checkCommands(against: &check, in: db)
            return check.report
        }
    }

    /// Compares every command with its entries. A log that is not whole may lack an entry that was
    /// written, so that not everything is asked of it.
    private func checkCommands(against check: inout AuditCheck, in db: Database) throws {
        let isWhole = check.report.isIntact
        let rows = try Row.fetchCursor(
            db, sql: Self.entered, arguments: [LedgerEvent.Kind.created.rawValue])
        while let row = try rows.next().map(SQLiteRow.init) {
            let command = try AuditedCommand(row, log(of: row.bytes(0) ?? [], in: db))
            for problem in command.problems(inWholeLog: isWhole) {
                check.note(command.number, problem)
            }
        }
        if isWhole { try findUnlogged(for: &check, in: db) }
    }

    private func log(of command: [UInt8], in db: Database) throws -> AuditedLog {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: Self.entries), arguments: [Blob(command)])
        var entries: [AuditedEntry] = []
        while let row = try rows.next() { entries.append(try AuditedEntry(SQLiteRow(row))) }
        return AuditedLog(entries)
    }

    private func findUnlogged(for check: inout AuditCheck, in db: Database) throws {
        let rows = try Row.fetchCursor(
            db, sql: Self.unlogged,
            arguments: [
                LedgerEvent.Kind.created.rawValue, LedgerEvent.Kind.transition.rawValue,
            ])
        while let row = try rows.next() {
            let command = try UnloggedCommand(SQLiteRow(row))
            check.note(command.number ?? check.next, command.problem)
        }
    }

    // MARK: Statements

    /// Every entry `created`, in order, with its command.
    private static let entered = """
        SELECT \(list(AuditedCommand.columns)) FROM event
        LEFT JOIN command ON command.id = event.command
        WHERE event.kind = ? ORDER BY event.number
        """

    /// The entries about a command, in order.
    private static let entries = """
        SELECT \(list(AuditedEntry.columns)) FROM event WHERE command = ? ORDER BY number
        """

    /// The commands without such an entry, in the order of their numbers. Those of before there was a log have entries
    /// `transition` in its place.
    private static let unlogged = """
        SELECT command.id,
            (SELECT min(event.number) FROM event WHERE event.command = command.id)
        FROM command WHERE NOT EXISTS (
            SELECT 1 FROM event WHERE event.command = command.id AND event.kind IN (?, ?))
        ORDER BY command.number
        """
}
