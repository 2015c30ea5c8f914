import Homeport
import TerminalOutput

/// What devices say, as `watch` prints it.
struct WatchRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain
    /// The time that people read before each line.
    var clock: @Sendable () -> String = { LocalTime.timeOfDay(MachineClock.wallTime) }

    /// The narrowest column for what a device says; on a narrower terminal it stands below the rest.
    private static let narrowest = 24
    private static let indent = 4

    /// The line for a change, on a terminal in as many rows as it needs; `nil` for descriptions, which `show`
    /// is for, and for what is no message of a device.
    /// - Parameters:
    ///   - command: the name of the command that an acknowledgement is for, where it is known.
    ///   - name: what the user calls the device; `nil` for its id.
    func line(
        for change: DeviceChange, command: CommandName? = nil, name: GivenName? = nil
    ) -> String? {
        switch format {
        case .human: sentence(for: change, command, name?.text ?? change.device.text)
        case .json: object(for: change, command)?.text
        }
    }

    private func sentence(
        for change: DeviceChange, _ command: CommandName?, _ name: String
    ) -> String? {
        guard let reading = change.content.reading(command) else { return nil }
        let isNarrow = layout.width.map { $0 < 80 } ?? false
        let time = isNarrow ? String(clock().prefix(8)) : clock()
        let device = name.printable.padded(to: isNarrow ? 10 : 14)
        let start = "\(time)  \(device)  \(reading.type.padded(to: 9))  "
        let text = reading.text.printable
        guard let width = layout.width else { return start + text }
        let isBelow = width - start.columns < Self.narrowest
        let margin = isBelow ? Self.indent : start.columns
        var rows = text.wrapped(to: width - margin, limit: .max)
        if !rows.isEmpty { rows[0] = painted(rows[0], reading.highlight) }
        let first =
            isBelow ? [start.withoutBlanksAtEnd.fitted(to: width)] : [start + (rows.first ?? "")]
        let rest = rows.dropFirst(isBelow ? 0 : 1).map { String.blanks(margin) + $0 }
        return (first + rest).joined(separator: "\n")
    }

    /// A row with its first word of meaning in colour.
    private func painted(_ row: String, _ word: (String, Tone)?) -> String {
        guard let (word, tone) = word, let place = row.firstRange(of: word) else { return row }
        return row[..<place.lowerBound] + layout.paint(word, tone) + row[place.upperBound...]
    }

    private func object(for change: DeviceChange, _ command: CommandName?) -> JSONLine? {
        guard let type = change.content.reading(nil)?.type else { return nil }
        var line = JSONLine()
        line.add("type", type)
        line.add("device", change.device.text)
        line.add(change.content, command)
        return line
    }
}

extension DeviceChange.Content {
    /// What people read of a change.
    fileprivate struct Reading {
        /// What kind of message it is.
        let type: String
        /// What it says.
        let text: String
        /// The word in it that stands out.
        var highlight: (String, Tone)?

        init(_ type: String, _ text: String, _ highlight: (String, Tone)? = nil) {
            self.type = type
            self.text = text
            self.highlight = highlight
        }
    }

    fileprivate func reading(_ command: CommandName?) -> Reading? {
        switch self {
        case .description, .doubt, .problem: return nil
        case .presence(let presence):
            let status = presence.status.rawValue
            let boot = presence.boot.map { " (boot \($0))" } ?? ""
            let tone: Tone = presence.status == .online ? .good : .bad
            return Reading("presence", status + boot, (status, tone))
        case .channel(let reason): return Reading("channel", reason)
        case .label(let label):
            let room = label.room.map { "in the room \($0)" } ?? "in no room"
            return Reading(
                "label", (label.name.map { "named \($0), " } ?? "without a name of yours, ") + room)
        case .state(let state):
            let revision = state.revision.map { "revision \($0): " } ?? ""
            return Reading("state", revision + state.members.brief)
        case .telemetry(let telemetry): return Reading("telemetry", telemetry.values.brief)
        case .event(let event): return Reading("event", "\(event.name) \(event.detail.brief)")
        case .evidence(let ack):
            return Reading("ack", ack.reading(command), (ack.stage.rawValue, ack.stage.tone))
        case .removed: return Reading("removed", "the device is gone")
        }
    }
}

extension JSONLine {
    /// Adds the members of a message in the order of PROTOCOL section 2; those that the channel does
    /// not have are left out.
    fileprivate mutating func add(_ content: DeviceChange.Content, _ command: CommandName?) {
        switch content {
        case .description, .doubt, .problem, .removed: break
        case .channel(let reason): add("reason", reason)
        case .label(let label):
            add("name", label.name?.text)
            add("room", label.room?.text)
        case .presence(let presence):
            add("status", presence.status.rawValue)
            addIfKnown("boot", presence.boot?.text)
            addIfKnown("at", presence.at?.milliseconds)
        case .state(let state):
            addIfKnown("boot", state.boot?.text)
            addIfKnown("revision", state.revision)
            addIfKnown("at", state.at?.milliseconds)
            add("by", state.by?.text)
            add("state", .object(state.members))
        case .telemetry(let telemetry):
            addIfKnown("boot", telemetry.boot?.text)
            addIfKnown("at", telemetry.at?.milliseconds)
            addIfKnown("n", telemetry.n)
            add("values", .object(telemetry.values))
        case .event(let event):
            addIfKnown("boot", event.boot?.text)
            addIfKnown("id", event.id?.text)
            addIfKnown("at", event.at?.milliseconds)
            add("event", event.name.text)
            add("detail", .object(event.detail))
        case .evidence(let ack): add(ack, command)
        }
    }

    private mutating func add(_ ack: CommandEvidence, _ command: CommandName?) {
        add("id", ack.id.text)
        addIfKnown("name", command?.rawValue)
        addIfKnown("boot", ack.boot?.text)
        addIfKnown("n", ack.n)
        add("stage", ack.stage.rawValue)
        add("final", .boolean(ack.isFinal))
        add("code", ack.code.rawValue)
        add("message", ack.message)
        if let percent = ack.percent { add("percent", .number(percent)) }
        add("result", .object(ack.result))
        addIfKnown("revision", ack.revision)
        addIfKnown("executions", ack.executions)
        add("replay", .boolean(ack.isReplay))
        addIfKnown("at", ack.at?.milliseconds)
    }

    private mutating func addIfKnown(_ name: String, _ text: String?) {
        if let text { add(name, text) }
    }

    private mutating func addIfKnown(_ name: String, _ number: Int?) {
        if let number { add(name, number) }
    }
}

extension CommandEvidence {
    /// The acknowledgement as people read it: `locate succeeded (id 018f…)`.
    func reading(_ command: CommandName?) -> String {
        let percent = percent.map { " \(JSONValue.number($0).brief) %" }
        let code = code == .ok ? nil : " \(code)"
        let why = message.isEmpty ? nil : ": \(message)"
        let parts = [percent, code, why, isReplay ? " (replay)" : nil].compactMap(\.self).joined()
        guard let command else { return "\(id) \(stage.rawValue)\(parts)" }
        return "\(command.rawValue) \(stage.rawValue)\(parts) (id \(id))"
    }
}

extension String {
    fileprivate var withoutBlanksAtEnd: String {
        String(prefix(upTo: lastIndex { $0 != " " }.map(index(after:)) ?? startIndex))
    }
}
