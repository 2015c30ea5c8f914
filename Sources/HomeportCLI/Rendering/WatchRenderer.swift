import Homeport

/// What devices say, as `watch` prints it.
struct WatchRenderer: Sendable {
    let format: OutputFormat
    /// The time that people read before each line.
    var clock: @Sendable () -> String = LocalTime.now

    /// The line for a change; `nil` for descriptions, which `show` is for, and for what is no
    /// message of a device.
    func line(for change: DeviceChange) -> String? {
        switch format {
        case .human: sentence(for: change)
        case .json: object(for: change)?.text
        }
    }

    private func sentence(for change: DeviceChange) -> String? {
        guard let (type, text) = change.content.reading else { return nil }
        let device = change.device.text.padded(to: 14)
        return "\(clock())  \(device)  \(type.padded(to: 9))  \(text.printable)"
    }

    private func object(for change: DeviceChange) -> JSONLine? {
        guard let type = change.content.reading?.type else { return nil }
        var line = JSONLine()
        line.add("type", type)
        line.add("device", change.device.text)
        line.add(change.content)
        return line
    }
}

extension DeviceChange.Content {
    /// The type and the content as people read it.
    fileprivate var reading: (type: String, text: String)? {
        switch self {
        case .description, .doubt, .problem: nil
        case .presence(let presence):
            ("presence", presence.status.rawValue + (presence.boot.map { " (boot \($0))" } ?? ""))
        case .state(let state):
            ("state", (state.revision.map { "revision \($0): " } ?? "") + state.members.brief)
        case .telemetry(let telemetry): ("telemetry", telemetry.values.brief)
        case .event(let event): ("event", "\(event.name) \(event.detail.brief)")
        case .evidence(let ack): ("ack", ack.reading)
        case .removed: ("removed", "the device is gone")
        }
    }
}

extension JSONLine {
    /// Adds the members of a message in the order of PROTOCOL section 2; those that the channel does
    /// not have are left out.
    fileprivate mutating func add(_ content: DeviceChange.Content) {
        switch content {
        case .description, .doubt, .problem, .removed: break
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
        case .evidence(let ack): add(ack)
        }
    }

    private mutating func add(_ ack: CommandEvidence) {
        add("id", ack.id.text)
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
    /// The ack as people read it.
    var reading: String {
        let percent = percent.map { " \(JSONValue.number($0).brief) %" }
        let code = code == .ok ? nil : " \(code)"
        let why = message.isEmpty ? nil : ": \(message)"
        let parts = [percent, code, why].compactMap(\.self).joined()
        return "\(id) \(stage.rawValue)\(parts)\(isReplay ? " (replay)" : "")"
    }
}

extension String {
    /// The text with blanks up to a width.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - columns, 0))
    }
}
