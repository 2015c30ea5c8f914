public import Automation
public import DeviceControl
public import DeviceDomain
internal import GRDB
internal import KillPoints
internal import LedgerRows

/// The rules in SQLite, beside the commands that they send.
public struct GRDBRuleRepository: RuleRepository {
    /// Old runs are dropped at every so many new ones.
    private static let upkeepInterval = 100

    private let database: LedgerDatabase

    /// The rules in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    // MARK: Rules

    /// Synced: a user types a rule once.
    public func add(
        _ plan: RulePlan, of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Rule? {
        try await database.write(.powerCut) { transaction in
            let others = try Self.rules(of: controller, in: home, transaction.db)
            guard !others.contains(where: { $0.plan.name.isSame(as: plan.name) }) else {
                return nil
            }
            try transaction.db.execute(
                sql: Self.insertion,
                arguments: StatementArguments(
                    RuleRow.values(of: plan, for: controller, in: home, from: moment)))
            let id = RuleID(number: Int(transaction.db.lastInsertedRowID))
            return Rule(id: id, plan: plan, since: moment)
        }
    }

    public func rules(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [Rule] {
        try await database.read { db in try Self.rules(of: controller, in: home, db) }
    }

    /// As ``rules(of:in:)``, but on the caller's thread, which it blocks.
    public func readRules(
        of controller: ControllerID, in home: HomeID
    ) throws(LedgerError) -> [Rule] {
        try database.readNow { db in try Self.rules(of: controller, in: home, db) }
    }

    private static func rules(
        of controller: ControllerID, in home: HomeID, _ db: Database
    ) throws -> [Rule] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(list(RuleRow.columns)) FROM rule
                    WHERE controller = ? AND home = ? ORDER BY number
                    """),
            arguments: [controller.text, home.text]
        ).map { try RuleRow.rule(SQLiteRow($0)) }
    }

    public func remove(_ id: RuleID) async throws(LedgerError) -> Bool {
        try await database.write(.powerCut) { transaction in
            try transaction.db.execute(
                sql: "DELETE FROM rule WHERE number = ?", arguments: [id.number])
            return transaction.db.changesCount > 0
        }
    }

    public func pause(_ ids: [RuleID], _ pause: RulePause) async throws(LedgerError) {
        try await database.write(.powerCut) { transaction in
            for id in ids {
                try transaction.db.execute(
                    sql: """
                        UPDATE rule SET pausedAt = ?, pauseReason = ?
                        WHERE number = ? AND pausedAt IS NULL
                        """, arguments: [pause.at.milliseconds, pause.reason, id.number])
            }
        }
    }

    public func resume(_ id: RuleID, from moment: Timestamp) async throws(LedgerError) {
        try await database.write(.powerCut) { transaction in
            try transaction.db.execute(
                sql: """
                    UPDATE rule SET pausedAt = NULL, pauseReason = NULL, since = ?
                    WHERE number = ? AND pausedAt IS NOT NULL
                    """, arguments: [moment.milliseconds, id.number])
            guard transaction.db.changesCount > 0 else { return }
            try transaction.db.execute(
                sql: "DELETE FROM ruleWatch WHERE rule = ?", arguments: [id.number])
        }
    }

    // MARK: What is remembered

    public func watches(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RuleWatchKey: RuleWatch] {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(Self.watchColumns) FROM ruleWatch JOIN rule ON number = rule
                        WHERE controller = ? AND home = ?
                        """), arguments: [controller.text, home.text])
            return try Dictionary(
                uniqueKeysWithValues: rows.map { try RuleRunRow.watch(SQLiteRow($0)) })
        }
    }

    public func remember(
        _ watches: [RuleWatchKey: RuleWatch]
    ) async throws(LedgerError) {
        guard !watches.isEmpty else { return }
        try await database.write { transaction in
            for (key, watch) in watches { try Self.remember(key, watch, transaction.db) }
        }
    }

    private static func remember(
        _ key: RuleWatchKey, _ watch: RuleWatch, _ db: Database
    ) throws {
        try db.cachedStatement(sql: Self.remembering)
            .execute(arguments: StatementArguments(RuleRunRow.values(of: key, watch)))
    }

    // MARK: Runs

    /// Synced, so that no other server runs it again after a power cut.
    public func begin(
        _ run: RuleRun, _ key: RuleWatchKey, _ watch: RuleWatch
    ) async throws(LedgerError) -> RuleRunID? {
        let id = try await database.write(.powerCut) { transaction -> RuleRunID? in
            let db = transaction.db
            try Self.remember(key, watch, db)
            try db.execute(
                sql: Self.taking, arguments: StatementArguments(RuleRunRow.values(of: run)))
            guard db.changesCount > 0 else { return nil }
            let number = Int(db.lastInsertedRowID)
            try db.execute(
                sql: "UPDATE rule SET lastRunAt = ?, lastCause = ? WHERE number = ?",
                arguments: [run.at.milliseconds, run.cause, run.rule.number])
            if number % Self.upkeepInterval == 0 {
                try db.execute(
                    sql: Self.dropping,
                    arguments: [run.rule.number, RecordedRun.mostPerRule])
            }
            return RuleRunID(number: number)
        }
        if id != nil { KillPoint.ruleTaken.pass() }
        return id
    }

    public func end(
        _ run: RuleRunID, _ outcome: String, at moment: Timestamp
    ) async throws(LedgerError) {
        try await database.write { transaction in
            try transaction.db.execute(
                sql: "UPDATE ruleRun SET outcome = ?, endedAt = ? WHERE number = ?",
                arguments: [outcome, moment.milliseconds, run.number])
        }
    }

    public func openRuns(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RecordedRun] {
        try await database.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(list(RuleRunRow.columns)) FROM ruleRun WHERE controller = ? AND home = ? AND endedAt IS NULL
                        ORDER BY number
                        """), arguments: [controller.text, home.text]
            ).map { try RuleRunRow.run(SQLiteRow($0)) }
        }
    }

    public func run(_ id: RuleRunID) async throws(LedgerError) -> RecordedRun? {
        try await database.read { db in
            try Row.fetchOne(
                db, sql: "SELECT \(list(RuleRunRow.columns)) FROM ruleRun WHERE number = ?",
                arguments: [id.number]
            ).map { try RuleRunRow.run(SQLiteRow($0)) }
        }
    }

    // MARK: Statements

    private static let insertion = """
        INSERT INTO rule (\(list(RuleRow.newColumns))) VALUES (\(marks(for: RuleRow.newColumns)))
        """

    private static let watchColumns = list(RuleRunRow.watchColumns.map { "ruleWatch.\($0)" })

    /// Only of a rule that is still there.
    private static let remembering = """
        INSERT OR REPLACE INTO ruleWatch (rule, device, phase, since, lastRun)
        SELECT number, ?, ?, ?, ? FROM rule WHERE number = ?
        """

    /// Nothing of a rule that is gone or paused, or of an occasion that was there.
    private static let taking = """
        INSERT OR IGNORE INTO ruleRun
        (controller, home, rule, name, device, at, cause, occasion, targets)
        SELECT controller, home, number, name, ?, ?, ?, ?, ? FROM rule
        WHERE number = ? AND pausedAt IS NULL
        """

    private static let dropping = """
        DELETE FROM ruleRun WHERE endedAt IS NOT NULL AND rule = ?1 AND number <= (
            SELECT number FROM ruleRun WHERE rule = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
        """
}
