internal import Connectivity
public import DeviceControl
internal import DeviceDomain
public import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger {
    public func withdraw(_ id: CommandID) async throws(LedgerError) -> CommandRecord? {
        let time = now()
        return try await database.write(.powerCut) { transaction in
            guard let record = try CommandRow.fetch(id, in: transaction.db) else { return nil }
            guard record.progress.isWaiting else { return record }
            let progress = record.progress.cancelled(at: time)
            try withdraw(record, to: progress, for: nil, at: time, in: transaction)
            return CommandRecord(
                prepared: record.prepared, progress: progress, place: record.place)
        }
    }

    public func withdrawals(after place: LedgerPlace?) async throws(LedgerError) -> Withdrawals {
        try await database.read { db in
            let end = LedgerPlace(try Int.fetchOne(db.cachedStatement(sql: Self.endOfLog)) ?? 0)
            guard let place, place < end else { return Withdrawals(records: [], end: end) }
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: Self.withdrawn),
                arguments: [
                    place.number, end.number, LedgerEvent.Kind.withdrawn.rawValue,
                    LedgerEvent.Kind.putAway.rawValue,
                ])
            return Withdrawals(
                records: try CommandRow.readable(rows, limit: .max).map(\.record), end: end)
        }
    }

    /// Withdraws what waits for a device and whose place a new command takes.
    func supersede(
        for later: CommandIntent, at places: CommandPlaces, _ time: Timestamp,
        in transaction: LedgerTransaction
    ) throws {
        guard later.maySupersede else { return }
        let rows = try Row.fetchCursor(
            transaction.db.cachedStatement(sql: Self.waiting),
            arguments: [later.controller.text, later.home.text, later.device.text])
        for row in try CommandRow.readable(rows, limit: .max)
        where places.include(row.record.place) && row.record.progress.isWaiting
            && later.supersedes(row.record.intent)
        {
            let progress = row.record.progress.superseded(by: later, at: time)
            try withdraw(row.record, to: progress, for: later.id, at: time, in: transaction)
        }
    }

    private func withdraw(
        _ record: CommandRecord, to progress: CommandProgress, for later: CommandID?,
        at time: Timestamp, in transaction: LedgerTransaction
    ) throws {
        let event = LedgerEvent(withdrawing: record.id, to: progress, for: later, at: time)
        let change = CommandChange(
            of: record.id, after: record.progress.step, to: progress, because: [event])
        _ = try CommandRow.update(change, in: transaction.db)
        try transaction.log(change.events)
    }

    // MARK: Statements

    private static let waiting = """
        SELECT \(CommandRow.selectedColumns) FROM command
        WHERE isOpen AND controller = ? AND home = ? AND device = ?
        """
    private static let endOfLog = "SELECT max(number) FROM event"
    private static let withdrawn = """
        SELECT \(CommandRow.selectedColumns) FROM command WHERE id IN (
            SELECT command FROM event WHERE number > ? AND number <= ? AND kind IN (?, ?))
        """
}
