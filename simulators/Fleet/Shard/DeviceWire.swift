import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
import MQTTClient

/// One device's side of the wire: what it says as MQTT messages, what it hears as inputs.
struct DeviceWire {
    let home: HomeID
    let device: DeviceID

    /// The session's name (PROTOCOL section 1).
    var clientID: String { "homeport-\(home)-\(device)" }

    /// What the device listens to.
    func subscriptions() throws(MQTTError) -> [MQTTSubscriptionRequest] {
        var requests: [MQTTSubscriptionRequest] = []
        for subscription in TopicSubscription.ownedBy(device, in: home) {
            requests.append(
                MQTTSubscriptionRequest(
                    try MQTTTopicFilter(subscription.filter), qos: subscription.qos.mqtt,
                    retainAsPublished: subscription.retainAsPublished))
        }
        return requests
    }

    /// The message of a publication, and the kind of its topic.
    func message(of publication: DevicePublication) throws(MQTTError) -> MQTTMessage {
        try message(of: wireMessage(of: publication))
    }

    /// The will: what the broker says when the device is gone.
    func will(_ presence: PresenceMessage) throws(MQTTError) -> MQTTWill {
        MQTTWill(try message(of: .presence(presence)))
    }

    private func wireMessage(of publication: DevicePublication) -> WireMessage {
        switch publication {
        case .description(let message): .description(message, home: home)
        case .presence(let message): .presence(message, home: home)
        case .state(let message): .state(message, home: home)
        case .telemetry(let message): .telemetry(message, home: home)
        case .event(let message): .event(message, home: home)
        case .ack(let message, let controller): .ack(message, home: home, controller: controller)
        }
    }

    private func message(of wire: WireMessage) throws(MQTTError) -> MQTTMessage {
        var properties = MQTTProperties()
        properties.contentType = wire.properties.contentType
        properties.isUTF8 = wire.properties.isUTF8
        properties.correlationData = wire.properties.correlationData
        return MQTTMessage(
            topic: try MQTTTopic(wire.topic.text), payload: wire.payload, qos: wire.topic.qos.mqtt,
            retain: wire.topic.isRetained, properties: properties)
    }
}

/// What a message that came means to a device.
struct Hearing {
    /// What to make of it.
    enum Content {
        /// Something for the device.
        case input(DeviceInput)
        /// Nothing; counted by this reason.
        case dropped(String)
    }

    /// The kind of its topic, as metrics name it.
    let topicKind: String
    let content: Content

    fileprivate init(_ topicKind: String, _ content: Content) {
        self.topicKind = topicKind
        self.content = content
    }
}

extension DeviceWire {
    /// Reads a message.
    func hear(_ message: MQTTMessage) -> Hearing {
        let topic = try? DeviceTopic(message.topic.rawValue)
        return switch topic {
        case .command(home, device, let lane):
            Hearing("command", .input(command(message, on: lane)))
        case .presence(home, device): Hearing("presence", presence(message))
        case .desired(home, device):
            Hearing("desired", .input(.desired(payload: message.payload)))
        case .hello(home): Hearing("hello", hello(message))
        default: Hearing("other", .dropped("foreign-topic"))
        }
    }

    private func command(_ message: MQTTMessage, on lane: CommandLane) -> DeviceInput {
        .command(
            payload: message.payload, retained: message.retain,
            responseTopic: message.properties.responseTopic?.rawValue, lane: lane)
    }

    private func presence(_ message: MQTTMessage) -> Hearing.Content {
        do {
            return .input(.presence(try PresenceMessage(payload: message.payload)))
        } catch {
            return .dropped("unreadable-presence")
        }
    }

    private func hello(_ message: MQTTMessage) -> Hearing.Content {
        do {
            let hello = try HelloMessage(payload: message.payload)
            return .input(.hello(hello, retained: message.retain))
        } catch {
            return .dropped("unreadable-hello")
        }
    }
}

extension WireQoS {
    fileprivate var mqtt: MQTTQoS {
        switch self {
        case .atMostOnce: .atMostOnce
        case .atLeastOnce: .atLeastOnce
        }
    }
}
