package import DeviceDomain
package import DeviceMessages

/// The parsed content of a message.
package enum DeviceMessage: Hashable, Sendable {
    /// A device's description.
    case description(DescriptionMessage)
    /// A device's presence.
    case presence(PresenceMessage)
    /// A device's state.
    case state(StateMessage)
    /// A sample of a device's signals.
    case telemetry(TelemetryMessage)
    /// An event of a device.
    case event(EventMessage)
    /// An ack of a command of this controller.
    case ack(AckMessage, ControllerID)
    /// The bytes of a command, which only its device parses: `CommandMessage.read`.
    case command(payload: [UInt8], CommandLane)
    /// Settings for a device.
    case desired(DesiredMessage)
    /// A hello to the home.
    case hello(HelloMessage)
    /// A fence.
    case fence(FenceMessage)
}

/// A received message with its parsed topic.
package struct ReceivedMessage: Hashable, Sendable {
    /// Its topic.
    package let topic: DeviceTopic
    /// Its content.
    package let content: DeviceMessage
    /// What is wrong with a part that was left out; the rest can be used.
    package let problem: PayloadError?

    /// The home that it belongs to.
    package var home: HomeID { topic.home }
    /// The device that it belongs to, if it belongs to one.
    package var device: DeviceID? { topic.device }

    /// Parses a message.
    /// - Throws: ``ReceptionError``, also if topic and payload name different devices or events.
    package init(topic text: String, payload: [UInt8]) throws(ReceptionError) {
        let topic: DeviceTopic
        do {
            topic = try DeviceTopic(text)
        } catch {
            throw .topic(error)
        }
        try self.init(topic: topic, payload: payload)
    }

    /// Parses a message on a topic that was parsed before.
    /// - Throws: as ``init(topic:payload:)``.
    package init(topic: DeviceTopic, payload: [UInt8]) throws(ReceptionError) {
        guard !payload.isEmpty else { throw .empty(topic) }
        do {
            (content, problem) = try DeviceMessage.reading(topic, payload)
        } catch {
            throw .payload(topic, error)
        }
        self.topic = topic
        try requireAgreement()
    }

    private func requireAgreement() throws(ReceptionError) {
        if let named = content.device, let device, named != device {
            throw .otherDevice(topic, named: named)
        }
        if case .event(_, _, let name) = topic, case .event(let message) = content,
            message.event != name
        {
            throw .otherEvent(topic, named: message.event)
        }
    }
}

extension DeviceMessage {
    fileprivate static func reading(
        _ topic: DeviceTopic, _ payload: [UInt8]
    ) throws(PayloadError) -> (DeviceMessage, problem: PayloadError?) {
        guard case .description = topic else { return (try DeviceMessage(topic, payload), nil) }
        let (description, problem) = try DescriptionMessage.received(payload)
        return (.description(description), problem)
    }

    private init(_ topic: DeviceTopic, _ payload: [UInt8]) throws(PayloadError) {
        switch topic {
        case .description: self = .description(try DescriptionMessage(payload: payload))
        case .presence: self = .presence(try PresenceMessage(payload: payload))
        case .state: self = .state(try StateMessage(payload: payload))
        case .telemetry: self = .telemetry(try TelemetryMessage(payload: payload))
        case .event: self = .event(try EventMessage(payload: payload))
        case .ack(_, _, let controller):
            self = .ack(try AckMessage(payload: payload), controller)
        case .command(_, _, let lane): self = .command(payload: payload, lane)
        case .desired: self = .desired(try DesiredMessage(payload: payload))
        case .hello: self = .hello(try HelloMessage(payload: payload))
        case .fence: self = .fence(try FenceMessage(payload: payload))
        }
    }

    /// The device that the payload names.
    fileprivate var device: DeviceID? {
        switch self {
        case .description(let message): message.device
        case .presence(let message): message.device
        case .state(let message): message.device
        case .telemetry(let message): message.device
        case .event(let message): message.device
        case .ack(let message, _): message.device
        case .desired(let message): message.device
        case .command, .hello, .fence: nil
        }
    }
}

/// A received message violates the protocol; it is dropped and counted.
package enum ReceptionError: Error, Hashable, Sendable {
    /// The topic is not a Homeport topic.
    case topic(TopicError)
    /// The payload is empty: it clears a retained message, or is an empty message on a command topic.
    case empty(DeviceTopic)
    /// The payload is invalid.
    case payload(DeviceTopic, PayloadError)
    /// The payload names another device than the topic.
    case otherDevice(DeviceTopic, named: DeviceID)
    /// The payload names another event than the topic.
    case otherEvent(DeviceTopic, named: EventName)
}

extension ReceptionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .topic(let error): error.description
        case .empty(let topic): "\(topic): the payload is empty"
        case .payload(let topic, let error): "\(topic): \(error)"
        case .otherDevice(let topic, let named): "\(topic): the payload names device \(named)"
        case .otherEvent(let topic, let named): "\(topic): the payload names event \(named)"
        }
    }
}
