import Homeport

/// One command and its fate, as `send` prints it when the wait ends.
struct CommandRenderer: Sendable {
    let format: OutputFormat

    /// The lines for a command.
    func lines(for record: CommandRecord) -> [String] {
        switch format {
        case .human: [sentence(for: record).printable]
        case .json: [record.line.text]
        }
    }

    /// `sweeper-2 pause: rejected in 56 ms (WRONG_STATE: nothing to pause), id 018f…`
    private func sentence(for record: CommandRecord) -> String {
        let intent = record.intent
        let result = record.progress.result
        let fate = [
            record.progress.state.rawValue, record.percent, record.took.map { "in \($0.brief)" },
            record.reason.map { "(\($0))" },
        ]
        let parts = [
            "\(intent.device) \(record.nameAndKind): "
                + fate.compactMap(\.self).joined(separator: " "),
            result.isEmpty ? nil : result.brief, "id \(record.id)",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// The commands of the ledger, as `history` prints them.
struct HistoryRenderer: Sendable {
    let format: OutputFormat

    /// The lines for commands, newest first.
    func lines(for records: [CommandRecord]) -> [String] {
        switch format {
        case .human: records.isEmpty ? [] : table(of: records).lines
        case .json: records.map(\.line.text)
        }
    }

    private func table(of records: [CommandRecord]) -> TextTable {
        var table = TextTable(titles: [
            "CREATED", "DEVICE", "COMMAND", "STATE", "TOOK", "SENDS", "ID", "ARGUMENTS",
        ])
        for record in records {
            let progress = record.progress
            table.add([
                LocalTime.dateAndTime(progress.timings.createdAt), record.intent.device.text,
                record.nameAndKind,
                [progress.state.rawValue, record.codeOrNothing].compactMap(\.self)
                    .joined(separator: " "),
                record.took?.brief ?? "–", "\(progress.sends)", record.id.text,
                record.intent.arguments.brief,
            ])
        }
        return table
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
        line.add("timings", progress.timings.line)
        return line
    }

    /// The command's name. Of a dry run nobody shall think that it was carried out.
    fileprivate var nameAndKind: String {
        intent.name.rawValue + (intent.isDryRun ? " (dry run)" : "")
    }

    /// The code, where it says more than that nothing is wrong.
    fileprivate var codeOrNothing: String? {
        guard let code = progress.code, code != .ok else { return nil }
        return code.rawValue
    }

    /// Why it is in its state, if the device or the controller said.
    fileprivate var reason: String? {
        let message = progress.message.isEmpty ? nil : progress.message
        let parts = [codeOrNothing, message].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// How much of it is done, while it runs.
    fileprivate var percent: String? {
        guard state.isUnderWay, let percent = progress.percent else { return nil }
        return "\(JSONValue.number(percent).brief) %"
    }

    /// From the command's making to its end.
    fileprivate var took: Duration? {
        progress.timings.finalAt?.since(progress.timings.createdAt)
    }
}

extension CommandTimings {
    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("createdAt", createdAt.milliseconds)
        line.add("sentAt", sentAt?.milliseconds)
        line.add("acceptedAt", acceptedAt?.milliseconds)
        line.add("finalAt", finalAt?.milliseconds)
        return line
    }
}

extension Duration {
    /// The duration as people read it.
    var brief: String {
        let milliseconds =
            Int(components.seconds) * 1_000
            + Int(components.attoseconds / 1_000_000_000_000_000)
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<60_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
        default: return "\(milliseconds / 3_600_000) h \(milliseconds / 60_000 % 60) min"
        }
    }
}
