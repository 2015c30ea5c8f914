public import DeviceControl
public import DeviceDomain
internal import LedgerRows

/// The schedules in PostgreSQL, beside the commands that they send. Only the owner of a home takes their runs.
public struct PostgresScheduleRepository: ScheduleRepository {
    private let database: PostgresDatabase

    /// The schedules in a database.
    public init(_ database: PostgresDatabase) { self.database = database }

    public func add(
        _ command: ScheduledCommand, at rule: ScheduleRule, of controller: ControllerID,
        in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Schedule {
        let statement = PostgresStatement(
            CommandStatements.statement(into: "schedule", ScheduleRow.newColumns)
                + " RETURNING number",
            columns: ScheduleRow.values(
                of: command, rule, for: controller, in: home, from: moment))
        let number = try await database.write { transaction in
            try StoredValue.required(transaction.query(statement).first?.integer(0), "number")
        }
        return Schedule(
            id: ScheduleID(number: number), command: command, rule: rule,
            history: ScheduleHistory(decidedUntil: moment))
    }

    public func schedules(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [Schedule] {
        try await database.schedules.rows(of: HomeKey(controller, home)) { () throws(LedgerError) in
            try await database.read { connection in
                try connection.run(
                    PostgresStatement(
                        """
                        SELECT \(list(ScheduleRow.columns)) FROM schedule
                        WHERE controller = $1 AND home = $2 ORDER BY number
                        """, [.text(controller.text), .text(home.text)])
                ).rows.map(ScheduleRow.schedule)
            }
        }
    }

    public func remove(
        _ id: ScheduleID, of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> Bool {
        try await change(
            "DELETE FROM schedule WHERE number = $1 AND controller = $2 AND home = $3",
            [.integer(id.number), .text(controller.text), .text(home.text)])
    }

    public func change(
        _ id: ScheduleID, to command: ScheduledCommand, at rule: ScheduleRule,
        of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Bool {
        let columns = ScheduleRow.commandColumns
        return try await change(
            """
            UPDATE schedule SET decidedUntil = greatest(decidedUntil, $4),
                (\(list(columns))) = (\(marks(for: columns, from: 5)))
            WHERE number = $1 AND controller = $2 AND home = $3
            """,
            [
                .integer(id.number), .text(controller.text), .text(home.text), .moment(moment),
            ] + ScheduleRow.values(of: command, rule))
    }

    public func pause(
        _ id: ScheduleID, _ isPaused: Bool, of controller: ControllerID, in home: HomeID,
        from moment: Timestamp
    ) async throws(LedgerError) -> Bool {
        try await change(
            """
            UPDATE schedule SET isPaused = $4, decidedUntil = greatest(decidedUntil, $5)
            WHERE number = $1 AND controller = $2 AND home = $3
            """,
            [
                .integer(id.number), .text(controller.text), .text(home.text), .flag(isPaused),
                .moment(moment),
            ])
    }

    public func take(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool {
        try await database.write { transaction in
            guard try transaction.ownsHome(of: id.number, in: "schedule") else { return false }
            return try transaction.query(
                PostgresStatement(
                    """
                    UPDATE schedule SET decidedUntil = $1, taken = $1
                    WHERE number = $2 AND decidedUntil < $1 AND NOT isPaused
                    """, [.moment(due), .integer(id.number)])
            ).changed > 0
        }
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
            UPDATE schedule SET taken = nullif(taken, $1), \(column) = greatest(\(column), $1)
            WHERE number = $2
            """, [.moment(due), .integer(id.number)])
    }

    public func miss(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool {
        try await change(
            """
            UPDATE schedule SET decidedUntil = $1, lastMissed = $1
            WHERE number = $2 AND decidedUntil < $1
            """, [.moment(due), .integer(id.number)])
    }

    /// - Returns: whether a row was changed.
    private func change(_ sql: String, _ values: [ColumnValue]) async throws(LedgerError) -> Bool {
        try await database.write { transaction in
            try transaction.query(PostgresStatement(sql, columns: values)).changed > 0
        }
    }
}

extension PostgresTransaction {
    /// Whether this process owns the home that a row belongs to, until the transaction ends.
    func ownsHome(of number: Int, in table: String) throws -> Bool {
        let rows = try query(
            PostgresStatement(
                """
                SELECT home.controller, home.home, home.epoch, home.instance FROM home
                JOIN \(table) USING (controller, home) WHERE \(table).number = $1
                FOR SHARE OF home
                """, [.integer(number)]))
        guard let row = rows.first else { return false }
        var columns = ColumnReader(row)
        let key = HomeKey(
            try StoredValue.required(
                ControllerID(rawValue: columns.text("controller")), "controller"),
            try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"))
        guard let tenure = tenure(of: key) else { return false }
        return tenure.epoch == (try columns.integer("epoch"))
            && tenure.instance == columns.integerIfAny()
    }
}
