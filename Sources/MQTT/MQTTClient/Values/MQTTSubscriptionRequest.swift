/// One filter of a SUBSCRIBE with its options.
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
    /// The highest quality of service at which the broker sends messages.
    public var qos: MQTTQoS
    /// MQTT 5: do not send messages that this client published itself. The broker applies it per filter.
    ///
    /// If a filter without `noLocal` matches too, an ``MQTTClient`` keeps own messages from this subscription if
    /// the broker returns Subscription Identifiers and this filter was subscribed before all filters that
    /// overlap with it. Otherwise own messages may come. They may also come after another subscription has
    /// requested this filter without `noLocal`, until the next SUBSCRIBE for it.
    public var noLocal: Bool
    /// MQTT 5: keep the retain flag as the publisher set it.
    public var retainAsPublished: Bool
    public var retainHandling: RetainHandling
    /// MQTT 5, 1 to 268,435,455: the broker adds it to every matching message. For users of an
    /// ``MQTTConnection``; an ``MQTTClient`` sets its own identifiers.
    ///
    /// Filters with identifiers must not overlap: the wrapped library treats a message with two identifiers
    /// as malformed, and disconnects.
    public var identifier: UInt32?

    /// The identifiers that MQTT allows.
    static let identifiers: ClosedRange<UInt32> = 1...268_435_455

    public init(
        _ filter: MQTTTopicFilter, qos: MQTTQoS = .atLeastOnce, noLocal: Bool = false,
        retainAsPublished: Bool = false, retainHandling: RetainHandling = .send,
        identifier: UInt32? = nil
    ) {
        self.filter = filter
        self.qos = qos
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
        self.retainHandling = retainHandling
        self.identifier = identifier
    }

    /// The option bits of SUBSCRIBE without the QoS (MQTT 5, section 3.8.3.1).
    var optionBits: Int32 {
        (noLocal ? 0x04 : 0) | (retainAsPublished ? 0x08 : 0) | Int32(retainHandling.rawValue) << 4
    }
}
