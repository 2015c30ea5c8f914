/// One filter of a SUBSCRIBE and how its messages shall come.
public struct MQTTSubscriptionRequest: Sendable, Hashable {
    /// When the broker sends retained messages for a subscription. MQTT 5; 3.1.1 always sends them.
    public enum RetainHandling: UInt8, Sendable, Hashable {
        /// With every SUBSCRIBE.
        case send = 0
        /// Only if the subscription did not exist.
        case sendIfNew = 1
        /// Never.
        case doNotSend = 2
    }

    public var filter: MQTTTopicFilter
    /// The highest quality of service at which messages shall come.
    public var qos: MQTTQoS
    /// MQTT 5: leave out messages that this client published itself.
    public var noLocal: Bool
    /// MQTT 5: keep the retain flag as the publisher set it.
    public var retainAsPublished: Bool
    public var retainHandling: RetainHandling

    public init(
        _ filter: MQTTTopicFilter, qos: MQTTQoS = .atLeastOnce, noLocal: Bool = false,
        retainAsPublished: Bool = false, retainHandling: RetainHandling = .send
    ) {
        self.filter = filter
        self.qos = qos
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
        self.retainHandling = retainHandling
    }

    /// The option bits of SUBSCRIBE without the QoS (MQTT 5, section 3.8.3.1).
    var optionBits: Int32 {
        (noLocal ? 0x04 : 0) | (retainAsPublished ? 0x08 : 0) | Int32(retainHandling.rawValue) << 4
    }
}
