/// The will: a message that the broker publishes if the client's connection ends without DISCONNECT.
public struct MQTTWill: Sendable, Equatable {
    /// The message; its payload has at most 65,535 bytes.
    public var message: MQTTMessage
    /// MQTT 5: how long the broker waits before it publishes the will, whole seconds. It drops the will if the
    /// client reconnects in this time.
    public var delay: Duration

    public init(_ message: MQTTMessage, delay: Duration = .zero) {
        self.message = message
        self.delay = delay
    }

    /// A will by the parts of its message.
    public init(
        topic: MQTTTopic, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false,
        delay: Duration = .zero
    ) {
        self.init(
            MQTTMessage(topic: topic, payload: payload, qos: qos, retain: retain), delay: delay)
    }
}
