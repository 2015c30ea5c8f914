import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
import MQTTClient

/// Translates between one device and MQTT: publications to messages, messages to inputs.
struct DeviceWire {
    let home: HomeID
    let device: DeviceID

    /// The client id (PROTOCOL section 1).
    var clientID: String { "homeport-\(home)-\(device)" }

    /// The subscriptions of the device.
    var subscriptions: [MQTTSubscriptionRequest] { .ownedBy(device, in: home) }

    /// Messages that remove what the broker retains of the device.
    var removals: [MQTTMessage] {
        DeviceTopic.retained(by: device, in: home).map(MQTTMessage.removal)
    }

    /// The message of a publication.
    func message(of publication: DevicePublication) -> MQTTMessage {
        switch publication {
        case .description(let message): return .description(message, home: home)
        case .presence(let message): return .presence(message, home: home)
        case .state(let message): return .state(message, home: home)
        case .telemetry(let sample):
            return .telemetry(sample.payload, home: home, device: device)
        case .event(let message): return .event(message, home: home)
        case .ack(let message, let controller):
            return .ack(message, home: home, controller: controller)
        case .altered(let original, let payload):
            var message = message(of: original)
            message.payload = payload
            return message
        }
    }
}

/// A received message as the device understands it.
struct IncomingMessage {
    /// What the message means to the device.
    enum Content {
        /// An input of the device.
        case input(DeviceInput)
        /// Inputs of the device, one after the other.
        case inputs([DeviceInput])
        /// The dialect itself answers it; the device hears nothing of it.
        case answered(MQTTMessage)
        /// Nothing follows of it.
        case heard
        /// Ignored; counted under this reason.
        case dropped(String)
    }

    /// The kind of its topic, as metrics name it.
    let topicKind: String
    let content: Content

    init(_ topicKind: String, _ content: Content) {
        self.topicKind = topicKind
        self.content = content
    }
}

extension DeviceWire {
    /// Reads a message.
    func read(_ message: MQTTMessage) -> IncomingMessage {
        let topic = try? DeviceTopic(message.topic.rawValue)
        return switch topic {
        case .command(home, device, let lane):
            IncomingMessage("command", .input(command(message, on: lane)))
        case .presence(home, device): IncomingMessage("presence", presence(message))
        case .desired(home, device):
            IncomingMessage("desired", .input(.desired(payload: message.payload)))
        case .hello(home): IncomingMessage("hello", hello(message))
        default: IncomingMessage("other", .dropped("foreign-topic"))
        }
    }

    private func command(_ message: MQTTMessage, on lane: CommandLane) -> DeviceInput {
        .command(
            payload: message.payload, retained: message.retain,
            responseTopic: message.properties.responseTopic.map(responseTopic), lane: lane)
    }

    private func responseTopic(_ topic: MQTTTopic) -> ResponseTopic {
        guard case .ack(home, device, let controller)? = try? DeviceTopic(topic.rawValue) else {
            return .foreign
        }
        return .acks(controller)
    }

    private func presence(_ message: MQTTMessage) -> IncomingMessage.Content {
        do {
            return .input(.presence(try PresenceMessage(payload: message.payload)))
        } catch {
            return .dropped("unreadable-presence")
        }
    }

    private func hello(_ message: MQTTMessage) -> IncomingMessage.Content {
        do {
            let hello = try HelloMessage(payload: message.payload)
            return .input(.hello(hello, retained: message.retain))
        } catch {
            return .dropped("unreadable-hello")
        }
    }
}
