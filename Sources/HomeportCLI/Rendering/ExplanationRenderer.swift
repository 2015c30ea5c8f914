import Homeport

/// The timeline of a command, as `explain` prints it.
struct ExplanationRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain
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
        let title = "\(intent.name.rawValue) for \(intent.device) in \(intent.home)"
        var table = TextTable([.init("", .whole), .init("", .wrapped(minimum: 20))])
        table.add([.init("id"), .init(record.id.text, .faint)])
        if !intent.arguments.isEmpty {
            table.add([.init("arguments"), .init(intent.arguments.brief)])
        }
        table.add([.init("state"), .init(record.state.rawValue, record.state.tone)])
        table.add([.init("may start"), .init("until \(time(intent.expiresAt))")])
        if let cause = intent.cause { table.add([.init("because of"), .init(cause)]) }
        let rows = table.lines(in: layout).dropFirst().map { "  \($0)" }
        return [layout.paint(title.printable, .title)] + rows + [""]
    }

    private func timeline(of explanation: CommandExplanation) -> [String] {
        var table = TextTable([
            .init("TIME"), .init("AFTER", isNumeric: true, omission: 1),
            .init("WHAT HAPPENED", .wrapped(minimum: 30)), .init("STATE"),
        ])
        let start = explanation.record.progress.timings.createdAt
        for step in explanation.steps {
            table.add([
                .init(time(step.at)), .init(max(step.at.since(start), .zero).brief),
                .init(step.text),
                .init(step.state?.rawValue ?? "", step.state?.tone ?? .plain),
            ])
        }
        return table.lines(in: layout) + [""]
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
        line.add("timeline", .array(steps))
        line.add("meaning", explanation.meaning)
        line.add("next", explanation.next)
        return line
    }
}
