public import DeviceControl
public import DeviceDomain
internal import GRDB
internal import LedgerRows

/// The schedules in SQLite, beside the commands that they send.
public struct GRDBScheduleRepository: ScheduleRepository {
    private let database: LedgerDatabase

    /// The schedules in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    public func add(
        _ command: ScheduledCommand, at rule: ScheduleRule, of controller: ControllerID,
        in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Schedule {
        let values = ScheduleRow.values(
            of: command, rule, for: controller, in: home, from: moment)
        let number = try await database.write(.powerCut) { transaction in
            try transaction.db.execute(
                sql: Self.insertion, arguments: StatementArguments(values))
            return Int(transaction.db.lastInsertedRowID)
        }
        return Schedule(
            id: ScheduleID(number: number), command: command, rule: rule,
            history: ScheduleHistory(decidedUntil: moment))
    }

    public func schedules(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [Schedule] {
        try await database.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(list(ScheduleRow.columns)) FROM schedule
                        WHERE controller = ? AND home = ? ORDER BY number
                        """),
                arguments: [controller.text, home.text]
            ).map { try ScheduleRow.schedule(SQLiteRow($0)) }
        }
    }

    public func remove(
        _ id: ScheduleID, of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> Bool {
        try await change(
            "DELETE FROM schedule WHERE number = ? AND controller = ? AND home = ?",
            [id.number, controller.text, home.text])
    }

    public func change(
        _ id: ScheduleID, to command: ScheduledCommand, at rule: ScheduleRule,
        of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Bool {
        let assignments = ScheduleRow.commandColumns.map { "\($0) = ?" }.joined(separator: ", ")
        return try await change(
            """
            UPDATE schedule SET \(assignments), decidedUntil = max(decidedUntil, ?)
            WHERE number = ? AND controller = ? AND home = ?
            """,
            StatementArguments(
                ScheduleRow.values(of: command, rule) + [
                    .moment(moment), .integer(id.number), .text(controller.text), .text(home.text),
                ]))
    }

    public func pause(
        _ id: ScheduleID, _ isPaused: Bool, of controller: ControllerID, in home: HomeID,
        from moment: Timestamp
    ) async throws(LedgerError) -> Bool {
        try await change(
            """
            UPDATE schedule SET isPaused = ?, decidedUntil = max(decidedUntil, ?)
            WHERE number = ? AND controller = ? AND home = ?
            """, [isPaused, moment.milliseconds, id.number, controller.text, home.text])
    }

    /// Synced, so that no other server runs it again after a power cut.
    public func take(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool {
        try await change(
            """
            UPDATE schedule SET decidedUntil = ?1, taken = ?1
            WHERE number = ?2 AND decidedUntil < ?1 AND NOT isPaused
            """, [due.milliseconds, id.number])
    }

    public func report(
        _ run: ScheduleRun, due: Timestamp, of id: ScheduleID
    ) async throws(LedgerError) {
        let column =
            switch run {
            case .sent: "lastRun"
            case .missed: "lastMissed"
            }
        _ = try await change(
            """
            UPDATE schedule SET taken = nullif(taken, ?1), \(column) = max(ifnull(\(column), 0), ?1)
            WHERE number = ?2
            """, [due.milliseconds, id.number])
    }

    public func miss(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool {
        try await change(
            """
            UPDATE schedule SET decidedUntil = ?1, lastMissed = ?1
            WHERE number = ?2 AND decidedUntil < ?1
            """, [due.milliseconds, id.number])
    }

    private static let insertion = """
        INSERT INTO schedule (\(list(ScheduleRow.newColumns)))
        VALUES (\(marks(for: ScheduleRow.newColumns)))
        """

    /// - Returns: whether a row was changed.
    private func change(
        _ sql: String, _ arguments: StatementArguments
    ) async throws(LedgerError) -> Bool {
        try await database.write(.powerCut) { transaction in
            try transaction.db.execute(sql: sql, arguments: arguments)
            return transaction.db.changesCount > 0
        }
    }
}
