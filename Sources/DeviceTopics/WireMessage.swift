package import DeviceDomain
package import DeviceMessages

/// A message as it is sent; its topic determines quality of service and retain flag.
package struct WireMessage: Hashable, Sendable {
    /// Its topic.
    package let topic: DeviceTopic
    /// Its payload.
    package let payload: [UInt8]
    /// Its MQTT 5 properties.
    package let properties: WireProperties

    package init(topic: DeviceTopic, payload: [UInt8], properties: WireProperties = .none) {
        self.topic = topic
        self.payload = payload
        self.properties = properties
    }
}

extension WireMessage {
    /// A command, from the bytes that every resend repeats.
    /// - Parameters:
    ///   - attempt: the number of the send, from 1.
    ///   - traceparent: the trace that it belongs to (W3C Trace Context); without one the
    ///     command is a trace of its own.
    package static func command(
        _ payload: [UInt8], lane: CommandLane, home: HomeID, device: DeviceID,
        controller: ControllerID, id: CommandID, expiresAt: Timestamp, now: Timestamp,
        attempt: Int, traceparent: String? = nil
    ) -> WireMessage {
        var properties = WireProperties.json
        properties.responseTopic = DeviceTopic.ack(home, device, controller).text
        properties.correlationData = id.bytes
        properties.messageExpirySeconds = secondsLeft(until: expiresAt, from: now)
        properties.userProperties = [
            UserProperty(name: "attempt", value: "\(attempt)"),
            UserProperty(
                name: "traceparent", value: traceparent ?? id.traceparent(attempt: attempt)),
        ]
        return WireMessage(
            topic: .command(home, device, lane), payload: payload, properties: properties)
    }

    /// ceil((expiresAt − now) / 1000), but at least 1, because brokers treat 0 as "never".
    private static func secondsLeft(until expiresAt: Timestamp, from now: Timestamp) -> UInt32 {
        let milliseconds = expiresAt.milliseconds - now.milliseconds
        guard milliseconds > 1000 else { return 1 }
        return UInt32(clamping: (milliseconds - 1) / 1000 + 1)
    }

    /// An ack.
    /// - Parameter correlationData: that of the command; without one the bytes of its id are used.
    package static func ack(
        _ ack: AckMessage, home: HomeID, controller: ControllerID,
        correlationData: [UInt8]? = nil
    ) -> WireMessage {
        var properties = WireProperties.json
        properties.correlationData = correlationData ?? ack.id.bytes
        return WireMessage(
            topic: .ack(home, ack.device, controller), payload: ack.payload,
            properties: properties)
    }

    /// A description.
    package static func description(_ message: DescriptionMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .description(home, message.device), payload: message.payload)
    }

    /// A presence message; also the will.
    package static func presence(_ message: PresenceMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .presence(home, message.device), payload: message.payload)
    }

    /// A state.
    package static func state(_ message: StateMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .state(home, message.device), payload: message.payload)
    }

    /// A sample of telemetry.
    package static func telemetry(_ message: TelemetryMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .telemetry(home, message.device), payload: message.payload)
    }

    /// An event.
    package static func event(_ message: EventMessage, home: HomeID) -> WireMessage {
        WireMessage(
            topic: .event(home, message.device, message.event), payload: message.payload)
    }

    /// Settings for a device.
    package static func desired(_ message: DesiredMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .desired(home, message.device), payload: message.payload)
    }

    /// A hello to a home.
    package static func hello(_ message: HelloMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .hello(home), payload: message.payload)
    }

    /// A fence of a home.
    package static func fence(_ message: FenceMessage, home: HomeID) -> WireMessage {
        WireMessage(topic: .fence(home), payload: message.payload)
    }
}

extension DeviceTopic {
    /// Whether a device may honour a Response Topic: none, or exactly the ack topic in its own
    /// subtree that belongs to the controller of the payload (PROTOCOL section 1).
    package static func honours(
        responseTopic: String?, home: HomeID, device: DeviceID, controller: ControllerID
    ) -> Bool {
        responseTopic.map { $0 == DeviceTopic.ack(home, device, controller).text } ?? true
    }
}
