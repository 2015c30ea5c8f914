public import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

extension GRDBCommandLedger: AuditLog {
    public func entries(after number: Int, limit: Int) async throws(LedgerError) -> [AuditEntry] {
        try await database.read { db in
            var previous = try hash(of: number, in: db)
            var entries: [AuditEntry] = []
            let rows = try AuditRow.fetch(after: number, in: db)
            while entries.count < limit, let row = try rows.next().map(AuditRow.init) {
                entries.append(AuditEntry(row, after: previous))
                previous = row.hash ?? .none
            }
            return entries
        }
    }

    private func hash(of number: Int, in db: Database) throws -> SHA256 {
        let blob = try Blob.fetchOne(
            db, sql: "SELECT hash FROM event WHERE number = ?", arguments: [number])
        return SHA256(stored: blob) ?? .none
    }

    public func verify() async throws(LedgerError) -> AuditReport {
        try await database.read { db in
            var check = AuditCheck()
            let rows = try AuditRow.fetch(after: 0, in: db)
            while let row = try rows.next() { check.take(AuditRow(row)) }
            check.end(at: try AuditHead.fetch(in: db))
            try checkCommands(against: &check, in: db)
            return check.report
        }
    }

    /// Compares every command with its entries. A log that is not whole may lack an entry that was
    /// written, so that not everything is asked of it.
    private func checkCommands(against check: inout AuditCheck, in db: Database) throws {
        let isWhole = check.report.isIntact
        let rows = try AuditedCommand.fetch(in: db)
        while let row = try rows.next() {
            let command = AuditedCommand(row)
            for problem in command.problems(inWholeLog: isWhole) {
                check.note(command.number, problem)
            }
        }
        if isWhole { try findUnlogged(for: &check, in: db) }
    }

    private func findUnlogged(for check: inout AuditCheck, in db: Database) throws {
        let rows = try UnloggedCommand.fetch(in: db)
        while let row = try rows.next() {
            let command = UnloggedCommand(row)
            check.note(command.number ?? check.next, command.problem)
        }
    }
}

/// Goes over the log in its order.
private struct AuditCheck {
    private var last = AuditHead(number: 0, hash: .none)
    private var entries = 0
    private var problems: [AuditReport.Problem] = []

    var report: AuditReport {
        AuditReport(entries: entries, problems: problems.sorted { $0.number < $1.number })
    }

    /// The number of the entry that would be written next.
    var next: Int64 { last.number + 1 }

    mutating func take(_ row: AuditRow) {
        if row.number != next { noteGap(before: row.number) }
        let content = row.content(after: last.hash)
        if let hash = row.hash {
            if hash != SHA256.digest(of: content) {
                note(row.number, "its content does not have the hash that was written with it")
            }
        } else {
            note(row.number, "it has no hash")
        }
        last = AuditHead(number: row.number, hash: row.hash ?? .none)
        entries += 1
    }

    mutating func end(at head: AuditHead) {
        if last.number < head.number {
            noteGap(before: head.number + 1)
        } else if last.number > head.number {
            note(head.number + 1, "it was added by another program")
        } else if last.hash != head.hash {
            note(head.number, "it is not the entry that was written last")
        }
    }

    private mutating func noteGap(before number: Int64) {
        let first = last.number + 1
        note(
            first,
            number - 1 == first ? "it is missing" : "it and all up to \(number - 1) are missing")
    }

    mutating func note(_ number: Int64, _ reason: String) {
        guard problems.count < AuditReport.longestList else { return }
        problems.append(AuditReport.Problem(number: Int(number), reason: reason))
    }
}

extension AuditEntry {
    fileprivate init(_ row: AuditRow, after previous: SHA256) {
        let hash = row.hash?.hexadecimal ?? ""
        let content = String(decoding: row.content(after: previous), as: UTF8.self)
        self.init(number: Int(row.number), hash: hash, line: "\(content),\"hash\":\"\(hash)\"}")
    }
}
