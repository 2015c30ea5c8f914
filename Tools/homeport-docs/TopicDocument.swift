import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient

/// A row of PROTOCOL section 1 for the AsyncAPI document. Its address, quality of service and
/// retain flag are those of the topic itself.
struct TopicDocument {
    /// The name of its channel.
    let name: String
    /// Whether the device sends on it, receives from it, or has nothing to do with it.
    let direction: Direction?
    private let topic: DeviceTopic
    private let message: String
    private let purpose: String

    /// What a device does with a topic.
    enum Direction: String {
        case send, receive
    }

    private init(
        _ name: String, _ direction: Direction?, _ topic: DeviceTopic, _ shape: PayloadShape,
        _ purpose: String
    ) {
        self.name = name
        self.direction = direction
        self.topic = topic
        message = shape.name
        self.purpose = purpose
    }
}

extension TopicDocument {
    /// Every topic, in the order of PROTOCOL section 1.
    static var all: [TopicDocument] {
        let (home, device): (HomeID, DeviceID) = (.literal("home"), .literal("device"))
        let (controller, event): (ControllerID, EventName) =
            (.literal("controller"), .literal("name"))
        return [
            TopicDocument(
                "description", .send, .description(home, device), DescriptionMessage.shape,
                "What the device is: model, capabilities, commands with their argument schemas."),
            TopicDocument(
                "presence", .send, .presence(home, device), PresenceMessage.shape,
                "Online or offline, with the boot id; also the device's will."),
            TopicDocument(
                "state", .send, .state(home, device), StateMessage.shape,
                "The full reported state with a revision."),
            TopicDocument(
                "telemetry", .send, .telemetry(home, device), TelemetryMessage.shape,
                "Sampled signals, periodic."),
            TopicDocument(
                "event", .send, .event(home, device, event), EventMessage.shape,
                "Facts that happened."),
            TopicDocument(
                "command", .receive, .command(home, device, .normal), CommandMessage.shape,
                "The normal lane: one topic, so that MQTT keeps the order of each publisher."),
            TopicDocument(
                "urgentCommand", .receive, .command(home, device, .urgent), CommandMessage.shape,
                "The urgent lane: never waits behind the normal one."),
            TopicDocument(
                "ack", .send, .ack(home, device, controller), AckMessage.shape,
                "Every acknowledgement of that controller's commands."),
            TopicDocument(
                "desired", .receive, .desired(home, device), DesiredMessage.shape,
                "Settings to reconcile on connect; never actions."),
            TopicDocument(
                "hello", .receive, .hello(home), HelloMessage.shape,
                "Asks every device of the home to announce itself again."),
            TopicDocument(
                "fence", nil, .fence(home), FenceMessage.shape,
                "A reader's message to itself; devices do not subscribe to it."),
        ]
    }

    /// The channel.
    var channel: JSONValue {
        [
            "address": .string(address), "description": .string(purpose),
            "messages": [message: ["$ref": .string("#/components/messages/\(message)")]],
            "parameters": .object(parameters),
        ]
    }

    /// The operation of a device on the channel, if it has one.
    var operation: JSONValue? {
        guard let direction else { return nil }
        return [
            "action": .string(direction.rawValue),
            "channel": ["$ref": .string("#/channels/\(name)")],
            "bindings": [
                "mqtt": [
                    "qos": .integer(Int(topic.qos.rawValue)), "retain": .boolean(topic.isRetained),
                ]
            ],
        ]
    }

    /// The topic with its parameters in braces. Their example names are the parameters' own.
    private var address: String {
        let levels = topic.text.split(separator: "/")
        return levels.enumerated().map { position, level in
            isParameter(at: position, of: levels) ? "{\(level)}" : String(level)
        }.joined(separator: "/")
    }

    private func isParameter(at position: Int, of levels: [Substring]) -> Bool {
        switch position {
        case 2: true
        case 3: topic.device != nil
        case 5: levels[4] == "event" || levels[4] == "ack"
        default: false
        }
    }

    private var parameters: JSONObject {
        let levels = topic.text.split(separator: "/")
        var parameters: JSONObject = [:]
        for (position, level) in levels.enumerated() where isParameter(at: position, of: levels) {
            parameters[String(level)] = ["description": .string(Self.rules[position] ?? "")]
        }
        return parameters
    }

    /// What each parameter must match, by its level.
    private static let rules = [
        2: "The home: \(HomeRole.grammar.rule)", 3: "The device: \(DeviceRole.grammar.rule)",
        5: "The controller (\(ControllerRole.grammar.rule)) or event (\(EventRole.grammar.rule)).",
    ]
}
