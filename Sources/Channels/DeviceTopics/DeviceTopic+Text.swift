internal import DeviceDomain

extension DeviceTopic {
    /// The prefix of every topic of this version.
    static let root = "homeport/v1"

    /// The topic as text.
    package var text: String {
        let (home, last) = (home.text, lastLevels)
        let below = device.map { [home, $0.text, last] } ?? [home, last]
        var text = Self.root
        text.reserveCapacity(below.reduce(text.utf8.count) { $0 + 1 + $1.utf8.count })
        for level in below {
            text += "/"
            text += level
        }
        return text
    }

    /// The levels below the device, or below the home if there is no device.
    private var lastLevels: String {
        switch self {
        case .description: "description"
        case .presence: "presence"
        case .state: "state"
        case .telemetry: "telemetry"
        case .event(_, _, let name): "event/\(name.text)"
        case .command(_, _, .normal): "command"
        case .command(_, _, .urgent): "command/urgent"
        case .ack(_, _, let controller): "ack/\(controller.text)"
        case .desired: "desired"
        case .hello: "hello"
        case .fence: "fence"
        }
    }

    /// Parses a topic.
    /// - Throws: ``TopicError`` if it is not a topic of this version of the protocol.
    package init(_ text: String) throws(TopicError) {
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard levels.count >= 4, levels[0] == "homeport", levels[1] == "v1" else {
            throw TopicError(code: .foreign, topic: text)
        }
        let home: HomeID = try Self.identifier(levels[2], in: text)
        if levels.count == 4 {
            self = try Self.ofHome(home, level: levels[3], in: text)
        } else {
            let device: DeviceID = try Self.identifier(levels[3], in: text)
            self = try Self.ofDevice(home, device, levels: levels[4...], in: text)
        }
    }

    private static func ofHome(
        _ home: HomeID, level: Substring, in text: String
    ) throws(TopicError) -> DeviceTopic {
        switch level {
        case "hello": return .hello(home)
        case "fence": return .fence(home)
        default: throw TopicError(code: .unknown, topic: text)
        }
    }

    private static func ofDevice(
        _ home: HomeID, _ device: DeviceID, levels: ArraySlice<Substring>, in text: String
    ) throws(TopicError) -> DeviceTopic {
        switch (levels.first, levels.dropFirst().first, levels.count) {
        case ("description", nil, _): return .description(home, device)
        case ("presence", nil, _): return .presence(home, device)
        case ("state", nil, _): return .state(home, device)
        case ("telemetry", nil, _): return .telemetry(home, device)
        case ("desired", nil, _): return .desired(home, device)
        case ("command", nil, _): return .command(home, device, .normal)
        case ("command", "urgent", 2): return .command(home, device, .urgent)
        case ("event", let name?, 2): return .event(home, device, try identifier(name, in: text))
        case ("ack", let name?, 2): return .ack(home, device, try identifier(name, in: text))
        default: throw TopicError(code: .unknown, topic: text)
        }
    }

    private static func identifier<Role>(
        _ level: Substring, in text: String
    ) throws(TopicError) -> Identifier<Role> {
        do {
            return try Identifier(level)
        } catch {
            throw TopicError(code: .badIdentifier(error), topic: text)
        }
    }
}
