public import Automation
public import DeviceControl
public import DeviceDomain
internal import LedgerRows

/// The rules in PostgreSQL, beside the commands that they send. Only the owner of a home begins their runs.
public struct PostgresRuleRepository: RuleRepository {
    /// Old runs are dropped at every so many new ones.
    private static let upkeepInterval = 100

    private let database: PostgresDatabase

    /// The rules in a database.
    public init(_ database: PostgresDatabase) { self.database = database }

    // MARK: Rules

    public func add(
        _ plan: RulePlan, of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Rule? {
        try await database.write { transaction in
            // Two processes cannot give one name twice.
            transaction.add(
                PostgresStatement(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                    [.text("rules/\(controller.text)/\(home.text)")]))
            let others = try transaction.query(Self.selection(controller, home)).rows
                .map(RuleRow.rule)
            guard !others.contains(where: { $0.plan.name.isSame(as: plan.name) }) else {
                return nil
            }
            let rows = try transaction.query(
                PostgresStatement(
                    CommandStatements.statement(into: "rule", RuleRow.newColumns)
                        + " RETURNING number",
                    columns: RuleRow.values(of: plan, for: controller, in: home, from: moment)))
            let number = try StoredValue.required(rows.first?.integer(0), "number")
            return Rule(id: RuleID(number: number), plan: plan, since: moment)
        }
    }

    public func rules(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [Rule] {
        try await database.rules.rows(of: HomeKey(controller, home)) { () throws(LedgerError) in
            try await database.read { connection in
                try connection.run(Self.selection(controller, home)).rows.map(RuleRow.rule)
            }
        }
    }

    /// As ``rules(of:in:)``, but on the caller's thread, which it blocks.
    public func readRules(
        of controller: ControllerID, in home: HomeID
    ) throws(LedgerError) -> [Rule] {
        try database.now { connection in
            try connection.run(Self.selection(controller, home)).rows.map(RuleRow.rule)
        }
    }

    private static func selection(
        _ controller: ControllerID, _ home: HomeID
    ) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(list(RuleRow.columns)) FROM rule
            WHERE controller = $1 AND home = $2 ORDER BY number
            """, [.text(controller.text), .text(home.text)])
    }

    public func remove(_ id: RuleID) async throws(LedgerError) -> Bool {
        try await database.write { transaction in
            try transaction.query(
                PostgresStatement("DELETE FROM rule WHERE number = $1", [.integer(id.number)])
            ).changed > 0
        }
    }

    public func pause(_ ids: [RuleID], _ pause: RulePause) async throws(LedgerError) {
        try await database.write { transaction in
            transaction.add(
                PostgresStatement(
                    """
                    UPDATE rule SET pausedAt = $1, pauseReason = $2
                    WHERE number = ANY($3::bigint[]) AND pausedAt IS NULL
                    """,
                    [
                        .moment(pause.at), PostgresValue(.text(ifAny: pause.reason)),
                        .integers(ids.map(\.number)),
                    ]))
        }
    }

    public func resume(_ id: RuleID, from moment: Timestamp) async throws(LedgerError) {
        try await database.write { transaction in
            let resumed = try transaction.query(
                PostgresStatement(
                    """
                    UPDATE rule SET pausedAt = NULL, pauseReason = NULL, since = $1
                    WHERE number = $2 AND pausedAt IS NOT NULL
                    """, [.moment(moment), .integer(id.number)]))
            guard resumed.changed > 0 else { return }
            transaction.add(
                PostgresStatement(
                    "DELETE FROM ruleWatch WHERE rule = $1", [.integer(id.number)]))
        }
    }

    // MARK: What is remembered

    public func watches(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RuleWatchKey: RuleWatch] {
        try await database.read { connection in
            let rows = try connection.run(
                PostgresStatement(
                    """
                    SELECT \(list(RuleRunRow.watchColumns.map { "ruleWatch.\($0)" }))
                    FROM ruleWatch JOIN rule ON number = rule WHERE controller = $1 AND home = $2
                    """, [.text(controller.text), .text(home.text)]))
            return try Dictionary(uniqueKeysWithValues: rows.rows.map(RuleRunRow.watch))
        }
    }

    public func remember(
        _ watches: [RuleWatchKey: RuleWatch]
    ) async throws(LedgerError) {
        guard !watches.isEmpty else { return }
        try await database.write { transaction in
            for (key, watch) in watches { transaction.add(Self.remembering(key, watch)) }
        }
    }

    /// Only of a rule that is still there.
    private static func remembering(_ key: RuleWatchKey, _ watch: RuleWatch) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO ruleWatch (rule, device, phase, since, lastRun)
            SELECT number, $1, $2, $3, $4 FROM rule WHERE number = $5
            ON CONFLICT (rule, device) DO UPDATE
            SET phase = excluded.phase, since = excluded.since, lastRun = excluded.lastRun
            """, columns: RuleRunRow.values(of: key, watch))
    }

    // MARK: Runs

    public func begin(
        _ run: RuleRun, _ key: RuleWatchKey, _ watch: RuleWatch
    ) async throws(LedgerError) -> RuleRunID? {
        try await database.write { transaction in
            guard try transaction.ownsHome(of: run.rule.number, in: "rule") else { return nil }
            transaction.add(Self.remembering(key, watch))
            let rows = try transaction.query(Self.taking(run))
            guard let number = rows.first?.integer(0) else { return nil }
            transaction.add(
                PostgresStatement(
                    "UPDATE rule SET lastRunAt = $1, lastCause = $2 WHERE number = $3",
                    [.moment(run.at), .text(run.cause), .integer(run.rule.number)]))
            if number % Self.upkeepInterval == 0 { transaction.add(Self.dropping(run.rule)) }
            return RuleRunID(number: number)
        }
    }

    /// Nothing of a rule that is gone or paused, or of an occasion that was there.
    private static func taking(_ run: RuleRun) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO ruleRun
            (controller, home, rule, name, device, at, cause, occasion, targets)
            SELECT controller, home, number, name, $1, $2, $3, $4, $5 FROM rule
            WHERE number = $6 AND pausedAt IS NULL
            ON CONFLICT DO NOTHING RETURNING number
            """, columns: RuleRunRow.values(of: run))
    }

    private static func dropping(_ rule: RuleID) -> PostgresStatement {
        PostgresStatement(
            """
            DELETE FROM ruleRun WHERE endedAt IS NOT NULL AND rule = $1 AND number <= (
                SELECT number FROM ruleRun WHERE rule = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)
            """, [.integer(rule.number), .integer(RecordedRun.mostPerRule)])
    }

    public func end(
        _ run: RuleRunID, _ outcome: String, at moment: Timestamp
    ) async throws(LedgerError) {
        try await database.write { transaction in
            transaction.add(
                PostgresStatement(
                    "UPDATE ruleRun SET outcome = $1, endedAt = $2 WHERE number = $3",
                    [.text(outcome), .moment(moment), .integer(run.number)]))
        }
    }

    public func openRuns(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RecordedRun] {
        try await runs(
            "controller = $1 AND home = $2 AND endedAt IS NULL",
            [.text(controller.text), .text(home.text)])
    }

    public func run(_ id: RuleRunID) async throws(LedgerError) -> RecordedRun? {
        try await runs("number = $1", [.integer(id.number)]).first
    }

    private func runs(
        _ condition: String, _ values: [PostgresValue]
    ) async throws(LedgerError) -> [RecordedRun] {
        try await database.read { connection in
            try connection.run(
                PostgresStatement(
                    """
                    SELECT \(list(RuleRunRow.columns)) FROM ruleRun
                    WHERE \(condition) ORDER BY number
                    """, values)
            ).rows.map(RuleRunRow.run)
        }
    }
}
