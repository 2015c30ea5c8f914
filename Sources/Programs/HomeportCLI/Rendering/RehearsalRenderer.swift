import Homeport
import TerminalOutput

/// When a rule would have run, as `rule test` prints it.
struct RehearsalRenderer: Sendable {
    let style: ListStyle
    var layout = Layout.plain
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndTime

    private static let columns: [TextTable.Column] = [
        .init("TIME"), .init("DEVICE", .cut(minimum: 8)), .init("CAUSE", .wrapped(minimum: 24)),
        .init("WOULD DO", .wrapped(minimum: 14)),
    ]

    /// The lines for the runs.
    func lines(for rehearsal: RuleRehearsal) -> [String] {
        let listing = Listing(
            Self.columns,
            rehearsal.runs.map { run in
                Listing.Row("\(run.at.milliseconds)") {
                    cells(for: run, of: rehearsal.rule.plan)
                } object: {
                    line(for: run, of: rehearsal.rule.plan)
                }
            })
        return rehearsal.runs.isEmpty ? [] : listing.lines(style, in: layout)
    }

    /// What is to be said beside the runs.
    static func remarks(on rehearsal: RuleRehearsal, in home: HomeID) -> [String] {
        let plan = rehearsal.rule.plan
        var remarks: [String] = []
        let runs = rehearsal.runs.count == 1 ? "1 run" : "\(rehearsal.runs.count) runs"
        if rehearsal.deviceCount > 0 || plan.trigger.isOfDevice || plan.scope != .everyDevice {
            let devices =
                rehearsal.deviceCount == 1 ? "1 device" : "\(rehearsal.deviceCount) devices"
            remarks.append(
                "\(runs) in \(rehearsal.recordCount) samples and events of \(devices)")
        } else {
            remarks.append(runs)
        }
        if !rehearsal.unrecorded.isEmpty {
            let members = rehearsal.unrecorded.sorted().joined(separator: ", ")
            remarks.append(
                "no sample has \(members), so whether the rule would have run for that is not known; what "
                    + "devices say in their state is not kept")
        }
        if rehearsal.hasMeans {
            remarks.append("a part of the samples are means, in which short peaks do not show")
        }
        return remarks
    }

    private func cells(for run: RuleRun, of plan: RulePlan) -> [TextTable.Cell] {
        [
            .init(time(run.at)), run.device.map { .init($0.text) } ?? .absent, .init(run.cause),
            .init(actions(of: run, plan).joined(separator: ", ")),
        ]
    }

    private func line(for run: RuleRun, of plan: RulePlan) -> JSONLine {
        var line = JSONLine()
        line.add("at", run.at.milliseconds)
        line.add("device", run.device?.text)
        line.add("cause", run.cause)
        line.add("targets", .array(run.targets.map { .string($0.text) }))
        line.add("do", .array(actions(of: run, plan).map { .string($0) }))
        return line
    }

    private func actions(of run: RuleRun, _ plan: RulePlan) -> [String] {
        run.commands(of: plan).map { command in
            command.receiver.map { "\(command) to \($0)" } ?? "\(command)"
        } + (plan.actions.contains(.notify) ? ["notify"] : [])
    }
}
