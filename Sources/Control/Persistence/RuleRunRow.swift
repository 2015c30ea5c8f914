internal import Automation
internal import DeviceDomain
internal import GRDB

/// What is remembered of a rule and a device, and a run, as columns.
enum RuleRunRow {
    /// Reads a row of the table `ruleRun`.
    /// - Throws: `DatabaseError` if a column holds what was never written.
    static func run(_ row: Row) throws -> RecordedRun {
        let rule = RuleID(number: row["rule"])
        return RecordedRun(
            id: RuleRunID(number: row["number"]),
            run: RuleRun(
                rule: rule, device: try device(row), at: Timestamp(milliseconds: row["at"]),
                cause: row["cause"], occasion: row["occasion"],
                targets: try (row["targets"] as String).split(separator: ",").map {
                    try DeviceID($0)
                }, chain: [rule]),
            name: try GivenName(row["name"] as String), outcome: row["outcome"])
    }

    /// Reads a row of the table `ruleWatch`.
    /// - Throws: as ``run(_:)``.
    static func watch(_ row: Row) throws -> (RuleWatchKey, RuleWatch) {
        let since = (row["since"] as Int?).map(Timestamp.init(milliseconds:))
        let phase: RuleWatch.Phase? =
            switch row["phase"] as String {
            case "released": .released
            case "spent": .spent
            default: since.map { .holding(since: $0) }
            }
        return (
            RuleWatchKey(rule: RuleID(number: row["rule"]), device: try device(row)),
            RuleWatch(
                phase: try StoredValue.required(phase, "phase"),
                lastRun: (row["lastRun"] as Int?).map(Timestamp.init(milliseconds:)))
        )
    }

    private static func device(_ row: Row) throws -> DeviceID? {
        let text: String = row["device"]
        return text.isEmpty ? nil : try DeviceID(text)
    }

    /// The values of ``remembering``.
    static func arguments(_ key: RuleWatchKey, _ watch: RuleWatch) -> StatementArguments {
        let (phase, since): (String, Timestamp?) =
            switch watch.phase {
            case .released: ("released", nil)
            case .holding(let since): ("holding", since)
            case .spent: ("spent", nil)
            }
        return [
            key.device?.text ?? "", phase, since?.milliseconds, watch.lastRun?.milliseconds,
            key.rule.number,
        ]
    }

    /// The values of ``taking``.
    static func arguments(_ run: RuleRun) -> StatementArguments {
        [
            run.device?.text ?? "", run.at.milliseconds, run.cause, run.occasion,
            run.targets.map(\.text).joined(separator: ","), run.rule.number,
        ]
    }

    // MARK: Statements

    /// Only of a rule that is still there.
    static let remembering = """
        INSERT OR REPLACE INTO ruleWatch (rule, device, phase, since, lastRun)
        SELECT number, ?, ?, ?, ? FROM rule WHERE number = ?
        """

    /// Nothing of a rule that is gone or paused, or of an occasion that was there.
    static let taking = """
        INSERT OR IGNORE INTO ruleRun
        (controller, home, rule, name, device, at, cause, occasion, targets)
        SELECT controller, home, number, name, ?, ?, ?, ?, ? FROM rule
        WHERE number = ? AND pausedAt IS NULL
        """

    static let dropping = """
        DELETE FROM ruleRun WHERE endedAt IS NOT NULL AND rule = ?1 AND number <= (
            SELECT number FROM ruleRun WHERE rule = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
        """
}
