import Connectivity
import DeviceDomain
import DeviceMessages

/// What devices say, as `watch` prints it.
struct WatchRenderer: Sendable {
    let format: OutputFormat
    /// The time that people read before each line.
    var clock: @Sendable () -> String = LocalTime.now

    /// The line for a message; `nil` for descriptions, which `show` is for.
    func line(for message: IncomingMessage) -> String? {
        switch format {
        case .human: sentence(for: message)
        case .json: object(for: message)?.text
        }
    }

    private func sentence(for message: IncomingMessage) -> String? {
        guard let (type, text) = message.content.reading else { return nil }
        let device = message.device.text.padded(to: 14)
        return "\(clock())  \(device)  \(type.padded(to: 9))  \(text.printable)"
    }

    private func object(for message: IncomingMessage) -> JSONLine? {
        guard let type = message.content.reading?.type else { return nil }
        var line = JSONLine()
        line.add("type", type)
        line.add("device", message.device.text)
        switch message.content {
        case .description: return nil
        case .presence(let content): line.addMembers(of: content, except: ["device"])
        case .state(let content): line.addMembers(of: content, except: ["device"])
        case .telemetry(let content): line.addMembers(of: content, except: ["device"])
        case .event(let content): line.addMembers(of: content, except: ["device"])
        case .ack(let content): line.addMembers(of: content, except: ["device"])
        }
        return line
    }
}

extension IncomingMessage.Content {
    /// The type and the content as people read it.
    fileprivate var reading: (type: String, text: String)? {
        switch self {
        case .description: nil
        case .presence(let presence):
            ("presence", "\(presence.report.status.rawValue) (boot \(presence.report.boot))")
        case .state(let state): ("state", "revision \(state.revision): \(state.state.brief)")
        case .telemetry(let telemetry): ("telemetry", telemetry.values.brief)
        case .event(let event): ("event", "\(event.event) \(event.detail.brief)")
        case .ack(let ack): ("ack", ack.reading)
        }
    }
}

extension AckMessage {
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
