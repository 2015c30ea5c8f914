import Homeport
import TerminalOutput

/// One command and its outcome, as `send` prints it when the wait ends.
struct CommandRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain

    /// The lines for a command.
    func lines(for record: CommandRecord) -> [String] {
        switch format {
        case .human: [sentence(for: record)]
        case .json: [record.line.text]
        }
    }

    /// `sweeper-2 pause: rejected in 56 ms (WRONG_STATE: nothing to pause), id 018f…`
    private func sentence(for record: CommandRecord) -> String {
        let result = record.progress.result
        let details = [
            record.percent, record.took.map { "in \($0.brief)" }, record.reason.map { "(\($0))" },
        ]
        let state = layout.paint(record.state.rawValue, record.state.tone)
        let outcome = ([state] + details.compactMap { $0?.printable }).joined(separator: " ")
        let parts = [
            "\("\(record.intent.device) \(record.nameAndDeed)".printable): \(outcome)",
            result.isEmpty || record.change != nil ? nil : result.brief.printable,
            layout.paint("id \(record.id)", .faint),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension CommandRecord {
    /// The command in JSON: the same object in every verb.
    var line: JSONLine {
        var line = JSONLine()
        line.add("id", id.text)
        line.add("home", intent.home.text)
        line.add("device", intent.device.text)
        line.add("name", intent.name.rawValue)
        line.add("arguments", .object(intent.arguments))
        if intent.isDryRun { line.add("dryRun", .boolean(true)) }
        line.add("state", progress.state.rawValue)
        line.add("code", progress.code?.rawValue)
        line.add("message", progress.message)
        line.add("result", .object(progress.result))
        line.add("sends", progress.sends)
        line.add("timings", progress.timings.line(expiresAt: intent.expiresAt))
        return line
    }

    /// The command's name. A dry run is marked: it was not carried out.
    var nameAndKind: String { intent.name.rawValue + (intent.isDryRun ? " (dry run)" : "") }

    /// What it does; of a command that undoes or repeats another one that, in words.
    fileprivate var nameAndDeed: String {
        guard let deed else { return nameAndKind }
        return "\(deed) by \(nameAndKind)" + (change.map { ", \($0)" } ?? "")
    }

    private var deed: String? {
        guard let cause = intent.cause else { return nil }
        let isDone = state == .succeeded || state.isUnderWay
        if cause.hasPrefix("undo:") { return isDone ? "undone" : "to be undone" }
        if cause.hasPrefix("redo:") { return isDone ? "done again" : "to be done again" }
        return nil
    }

    /// Which value took the place of which, such as `percent 30 → 10`; `nil` where it changed no single value.
    fileprivate var change: String? {
        guard deed != nil, state == .succeeded, intent.arguments.count == 1,
            let (name, value) = intent.arguments.first, let previous = progress.result["previous"]
        else { return nil }
        return "\(name) \(previous.brief) → \(value.brief)"
    }

    /// The code, where it says more than that nothing is wrong.
    fileprivate var codeOrNothing: String? {
        guard let code = progress.code, code != .ok else { return nil }
        return code.rawValue
    }

    /// Why it is in its state, if the device or the controller said.
    var reason: String? {
        let message = progress.message.isEmpty ? nil : progress.message
        let parts = [codeOrNothing, message].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// How much of it is done, while it runs.
    fileprivate var percent: String? {
        guard state.isUnderWay, let percent = progress.percent else { return nil }
        return "\(JSONValue.number(percent).brief) %"
    }

    /// From its creation to its end; `nil` where the clock was put back meanwhile.
    var took: Duration? {
        guard let end = progress.timings.finalAt, end >= progress.timings.createdAt else {
            return nil
        }
        return end.since(progress.timings.createdAt)
    }
}

extension CommandTimings {
    fileprivate func line(expiresAt: Timestamp) -> JSONLine {
        var line = JSONLine()
        line.add("createdAt", createdAt.milliseconds)
        line.add("sentAt", sentAt?.milliseconds)
        line.add("acceptedAt", acceptedAt?.milliseconds)
        line.add("finalAt", finalAt?.milliseconds)
        if finalAt == nil { line.add("expiresAt", expiresAt.milliseconds) }
        return line
    }
}
