import Homeport
import TerminalOutput

/// The timeline of a command, as `explain` prints it.
struct ExplanationRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain
    /// What the user calls devices.
    var labels = HomeLabels()
    /// The run of a rule that the command belongs to; `nil` for none.
    var run: RecordedRun?
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndTime

    /// The lines for an explanation.
    func lines(for explanation: CommandExplanation) -> [String] {
        switch format {
        case .human: heading(of: explanation) + timeline(of: explanation) + end(of: explanation)
        case .json: [object(for: explanation).text]
        }
    }

    private func heading(of explanation: CommandExplanation) -> [String] {
        let record = explanation.record
        let intent = record.intent
        let name = labels[intent.device].name.map { " (\($0))" } ?? ""
        let title = "\(record.nameAndKind) for \(intent.device)\(name) in \(intent.home)"
        var table = TextTable([.init("", .whole), .init("", .wrapped(minimum: 20))])
        table.add([.init("id"), .init(record.id.text, .faint)])
        if !intent.arguments.isEmpty {
            table.add([.init("arguments"), .init(intent.arguments.brief)])
        }
        table.add([.init("channel"), .init(record.prepared.channel.text)])
        table.add([.init("state"), .init(record.state.rawValue, record.state.tone)])
        let limit = record.progress.desiredRevision == nil ? "may start" : "awaited"
        table.add([.init(limit), .init("until \(time(intent.expiresAt))")])
        if let cause = cause(of: intent) { table.add([.init("because of"), .init(cause)]) }
        let rows = table.lines(in: layout).dropFirst().map { "  \($0)" }
        return [layout.paint(title.printable, .title)] + rows + [""]
    }

    private func cause(of intent: CommandIntent) -> String? {
        run.map { "rule \($0.run.rule) (\($0.name)): \($0.run.cause)" } ?? intent.cause
    }

    private func timeline(of explanation: CommandExplanation) -> [String] {
        var table = TextTable([
            .init("TIME"), .init("AFTER", isNumeric: true, omission: 1),
            .init("WHAT HAPPENED", .wrapped(minimum: 30)), .init("STATE"),
        ])
        let start = explanation.record.progress.timings.createdAt
        for (step, count) in condensed(explanation.steps) {
            table.add([
                .init(time(step.at)), .init(max(step.at.since(start), .zero).brief),
                .init(step.text + remark(on: step, count)),
                .init(step.state?.rawValue ?? "", step.state?.tone ?? .plain),
            ])
        }
        return table.lines(in: layout) + [""]
    }

    private func remark(on step: CommandExplanation.Step, _ count: Int) -> String {
        guard count > 1 else { return "" }
        return step.isFollowing
            ? " (the last of \(count) entries of processes that followed it)"
            : " (the last of \(count) such reports)"
    }

    /// Of reports of progress that follow each other, and of what processes write that follow the command one
    /// after the other, the last one with their number: an action of an hour has hundreds.
    private func condensed(
        _ steps: [CommandExplanation.Step]
    ) -> [(step: CommandExplanation.Step, count: Int)] {
        var rows: [(step: CommandExplanation.Step, count: Int)] = []
        for step in steps {
            if let last = rows.last, step.repeats(last.step) {
                rows[rows.endIndex - 1] = (step, last.count + 1)
            } else {
                rows.append((step, 1))
            }
        }
        return rows
    }

    private func end(of explanation: CommandExplanation) -> [String] {
        var table = TextTable([.init("", .whole), .init("", .wrapped(minimum: 20))])
        table.add([.init("Now"), .init(explanation.meaning)])
        let message = explanation.record.progress.message
        if !message.isEmpty { table.add([.init("Reason"), .init(message)]) }
        table.add([.init("Next"), .init(explanation.next)])
        return Array(table.lines(in: layout).dropFirst())
    }

    private func object(for explanation: CommandExplanation) -> JSONLine {
        var line = explanation.record.line
        let steps = explanation.steps.map { step -> JSONValue in
            [
                "at": .integer(step.at.milliseconds), "kind": .string(step.kind.rawValue),
                "text": .string(step.text),
                "state": step.state.map { .string($0.rawValue) } ?? .null,
            ]
        }
        line.add("cause", cause(of: explanation.record.intent))
        line.add("timeline", .array(steps))
        line.add("meaning", explanation.meaning)
        line.add("next", explanation.next)
        return line
    }
}

extension CommandExplanation.Step {
    /// Whether it only says that a process took the command up, or asked and learned nothing new.
    fileprivate var isFollowing: Bool {
        state == nil
            && (kind == .adopted || kind == .asked || kind == .answered || kind == .owner)
    }

    /// Whether it is a report of the same kind as an earlier one, and neither changed the state.
    fileprivate func repeats(_ earlier: Self) -> Bool {
        if isFollowing && earlier.isFollowing { return true }
        return kind == .evidence && earlier.kind == .evidence && state == nil
            && earlier.state == nil
            && text.prefix { $0 != ":" } == earlier.text.prefix { $0 != ":" }
    }
}
