package import Automation
internal import DeviceDomain

/// What is remembered of a rule and a device, and a run, as columns.
package enum RuleRunRow {
    /// What a query must select for ``run(_:)``.
    package static let columns = [
        "number", "rule", "device", "at", "cause", "occasion", "targets", "name", "outcome",
    ]

    /// Reads a row of ``columns`` of the table `ruleRun`.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written.
    package static func run(_ row: some StoredRow) throws -> RecordedRun {
        var columns = ColumnReader(row)
        let number = try columns.integer("number")
        let rule = RuleID(number: try columns.integer("rule"))
        let run = RuleRun(
            rule: rule, device: try device(&columns), at: try columns.moment("at"),
            cause: try columns.text("cause"), occasion: try columns.text("occasion"),
            targets: try columns.text("targets").split(separator: ",").map {
                try DeviceID(String($0))
            }, chain: [rule])
        return RecordedRun(
            id: RuleRunID(number: number), run: run,
            name: try GivenName(columns.text("name")), outcome: columns.textIfAny())
    }

    /// What a query must select for ``watch(_:)``.
    package static let watchColumns = ["rule", "device", "phase", "since", "lastRun"]

    /// Reads a row of ``watchColumns`` of the table `ruleWatch`.
    /// - Throws: as ``run(_:)``.
    package static func watch(_ row: some StoredRow) throws -> (RuleWatchKey, RuleWatch) {
        var columns = ColumnReader(row)
        let rule = RuleID(number: try columns.integer("rule"))
        let device = try device(&columns)
        let (word, since) = (try columns.text("phase"), columns.momentIfAny())
        let phase: RuleWatch.Phase? =
            switch word {
            case "released": .released
            case "spent": .spent
            default: since.map { .holding(since: $0) }
            }
        return (
            RuleWatchKey(rule: rule, device: device),
            RuleWatch(
                phase: try StoredValue.required(phase, "phase"), lastRun: columns.momentIfAny())
        )
    }

    private static func device(_ columns: inout ColumnReader<some StoredRow>) throws -> DeviceID? {
        let text = try columns.text("device")
        return text.isEmpty ? nil : try DeviceID(text)
    }

    /// The values of the columns of ``watchColumns`` behind the rule, then the rule.
    package static func values(of key: RuleWatchKey, _ watch: RuleWatch) -> [ColumnValue] {
        let (phase, since): (String, Timestamp?) =
            switch watch.phase {
            case .released: ("released", nil)
            case .holding(let since): ("holding", since)
            case .spent: ("spent", nil)
            }
        return [
            .text(key.device?.text ?? ""), .text(phase), .moment(ifAny: since),
            .moment(ifAny: watch.lastRun), .integer(key.rule.number),
        ]
    }

    /// Device, time, cause, occasion and targets of a new run, then its rule.
    package static func values(of run: RuleRun) -> [ColumnValue] {
        [
            .text(run.device?.text ?? ""), .moment(run.at), .text(run.cause), .text(run.occasion),
            .text(run.targets.map(\.text).joined(separator: ",")), .integer(run.rule.number),
        ]
    }
}
