internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// As `sweeper-1 is online` or `sweeper-1 telemetry {"battery":76}`.
extension HomeChange: CustomStringConvertible {
    public var description: String {
        switch self {
        case .device(let change): "\(change)"
        case .link(let channel, let state): "channel \(channel) \(state.summary)"
        }
    }
}

extension DeviceChange: CustomStringConvertible {
    public var description: String { "\(device) \(summary)" }

    private var summary: String {
        switch content {
        case .description(let profile):
            "is \(profile.name), of kind \(profile.kind.rawValue), model \(profile.model.rawValue)"
        case .presence(let presence): "is \(presence.status.rawValue)"
        case .doubt: "may be there or not: its channel is not connected"
        case .channel(let reason): "uses the channel \(channel): \(reason)"
        case .label(let label):
            "is called \(label.name?.text ?? device.text), in "
                + (label.room.map { "the room \($0)" } ?? "no room")
        case .state(let state): "state \(state.members.text)"
        case .telemetry(let telemetry): "telemetry \(telemetry.values.text)"
        case .event(let event): "event \(event.name.rawValue) \(event.detail.text)"
        case .evidence(let evidence): "command \(evidence.id): \(evidence.summary)"
        case .removed: "was removed"
        case .problem(let part, let reason): "says something unreadable (\(part)): \(reason)"
        }
    }
}

extension LinkState {
    fileprivate var summary: String {
        switch self {
        case .connecting: "is being connected"
        case .connected: "is connected"
        case .limited(let error): "is connected, but \(error)"
        case .lost(let error, _): "is not connected: \(error)"
        }
    }
}

extension CommandEvidence {
    fileprivate var summary: String {
        message.isEmpty ? stage.rawValue : "\(stage.rawValue), \(message)"
    }
}

extension JSONObject {
    fileprivate var text: String {
        String(decoding: JSONWriter.write(.object(self)), as: UTF8.self)
    }
}
