/// What the broker publishes for a client that goes away without DISCONNECT.
public struct MQTTWill: Sendable, Equatable {
    /// Its payload has at most 65,535 bytes.
    public var message: MQTTMessage
    /// MQTT 5: whole seconds that the broker waits, and drops the will if the client returns.
    public var delay: Duration

    public init(_ message: MQTTMessage, delay: Duration = .zero) {
        self.message = message
        self.delay = delay
    }
}
