package import DeviceDomain
package import DeviceMessages
package import MQTTClient

extension MQTTTopic {
    /// The topic as it is sent. The grammar of identifiers allows nothing that MQTT does not.
    package init(_ topic: DeviceTopic) { self.init(unchecked: topic.text) }
}

extension MQTTProperties {
    /// The properties of commands and acks.
    fileprivate static func json(
        of command: CommandID, responseTopic: DeviceTopic? = nil,
        messageExpirySeconds: UInt32? = nil, userProperties: [UserProperty] = []
    ) -> MQTTProperties {
        MQTTProperties(
            contentType: "application/json", isUTF8: true,
            responseTopic: responseTopic.map { MQTTTopic($0) }, correlationData: command.bytes,
            messageExpirySeconds: messageExpirySeconds, userProperties: userProperties)
    }
}

extension MQTTMessage {
    /// A message of the protocol; its topic determines quality of service and retain flag.
    private init(
        on topic: DeviceTopic, _ payload: [UInt8], properties: MQTTProperties = .none
    ) {
        self.init(
            topic: MQTTTopic(topic), payload: payload, qos: topic.qos, retain: topic.isRetained,
            properties: properties)
    }

    /// What removes the message that the broker retains on a topic.
    package static func removal(of topic: DeviceTopic) -> MQTTMessage {
        MQTTMessage(on: topic, [])
    }

    /// A command, from the bytes that every resend repeats.
    /// - Parameters:
    ///   - attempt: the number of the send, from 1.
    ///   - traceparent: the trace that it belongs to (W3C Trace Context); without one the
    ///     command is a trace of its own.
    package static func command(
        _ payload: [UInt8], lane: CommandLane, home: HomeID, device: DeviceID,
        controller: ControllerID, id: CommandID, expiresAt: Timestamp, now: Timestamp,
        attempt: Int, traceparent: String? = nil
    ) -> MQTTMessage {
        MQTTMessage(
            on: .command(home, device, lane), payload,
            properties: .json(
                of: id, responseTopic: .ack(home, device, controller),
                messageExpirySeconds: secondsLeft(until: expiresAt, from: now),
                userProperties: [
                    MQTTProperties.UserProperty(name: "attempt", value: "\(attempt)"),
                    MQTTProperties.UserProperty(
                        name: "traceparent",
                        value: traceparent ?? id.traceparent(attempt: attempt)),
                ]))
    }

    /// ceil((expiresAt − now) / 1000), but at least 1, because brokers treat 0 as "never".
    private static func secondsLeft(until expiresAt: Timestamp, from now: Timestamp) -> UInt32 {
        let milliseconds = expiresAt.milliseconds - now.milliseconds
        guard milliseconds > 1000 else { return 1 }
        return UInt32(clamping: (milliseconds - 1) / 1000 + 1)
    }

    /// An ack. Its correlation data is that of the command, the bytes of its id.
    package static func ack(
        _ ack: AckMessage, home: HomeID, controller: ControllerID
    ) -> MQTTMessage {
        MQTTMessage(
            on: .ack(home, ack.device, controller), ack.payload, properties: .json(of: ack.id))
    }

    /// A description.
    package static func description(_ message: DescriptionMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .description(home, message.device), message.payload)
    }

    /// A presence message; also the will.
    package static func presence(_ message: PresenceMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .presence(home, message.device), message.payload)
    }

    /// A state.
    package static func state(_ message: StateMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .state(home, message.device), message.payload)
    }

    /// A sample of telemetry, from the bytes of a ``TelemetryMessage``.
    package static func telemetry(
        _ payload: [UInt8], home: HomeID, device: DeviceID
    ) -> MQTTMessage {
        MQTTMessage(on: .telemetry(home, device), payload)
    }

    /// An event.
    package static func event(_ message: EventMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .event(home, message.device, message.event), message.payload)
    }

    /// Settings for a device.
    package static func desired(_ message: DesiredMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .desired(home, message.device), message.payload)
    }

    /// A hello to a home.
    package static func hello(_ message: HelloMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .hello(home), message.payload)
    }

    /// A fence of a home.
    package static func fence(_ message: FenceMessage, home: HomeID) -> MQTTMessage {
        MQTTMessage(on: .fence(home), message.payload)
    }
}
