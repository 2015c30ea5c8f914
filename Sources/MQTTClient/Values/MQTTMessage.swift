/// An application message, outbound or inbound.
public struct MQTTMessage: Sendable, Equatable {
    public var topic: MQTTTopic
    public var payload: [UInt8]
    public var qos: MQTTQoS
    /// Outbound: the broker keeps it for later subscribers. Inbound: it was kept, or, with Retain As
    /// Published, was published so.
    public var retain: Bool
    /// Inbound only: the broker says that it may have sent this message before. Always false: the wrapped
    /// library does not tell.
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

    /// Bytes that the message occupies in a queue, about.
    var cost: Int {
        64 + topic.rawValue.utf8.count + payload.count + MQTTPacketSize.properties(properties)
    }
}
