/// An application message, outbound or inbound.
public struct MQTTMessage: Sendable, Equatable {
    public var topic: MQTTTopic
    public var payload: [UInt8]
    public var qos: MQTTQoS
    /// Outbound: whether the broker stores it for later subscribers. Inbound: whether it was stored or, with
    /// Retain As Published, was published with this flag.
    public var retain: Bool
    /// Inbound only: the DUP flag. Always false, because the wrapped library does not report it.
    public var isDuplicate: Bool
    public var properties: MQTTProperties

    public init(
        topic: MQTTTopic, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false,
        isDuplicate: Bool = false, properties: MQTTProperties = .none
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.isDuplicate = isDuplicate
        self.properties = properties
    }
}
