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
    /// MQTT 5: leave out messages that this client published itself. The broker does it, for each filter.
    ///
    /// An ``MQTTClient`` keeps to it where a filter without it matches too, if the broker returns Subscription
    /// Identifiers and this filter was subscribed before all that it overlaps with. If not, own messages may
    /// come: from a broker that sends one copy for all filters; from others until the client knows that they
    /// do not, and after that where the filter without it was not the first one either. They may come also once
    /// another subscription has asked for this filter without it, until the broker is asked for it again.
    public var noLocal: Bool
    /// MQTT 5: keep the retain flag as the publisher set it.
    public var retainAsPublished: Bool
    public var retainHandling: RetainHandling
    /// MQTT 5, 1 to 268,435,455: comes back with every message that matches. For the users of an
    /// ``MQTTConnection``; an ``MQTTClient`` puts in identifiers of its own.
    ///
    /// Give one only to filters that no topic shares with another filter of the connection that has one:
    /// the wrapped library takes a message with two identifiers for malformed, and disconnects.
    public var identifier: UInt32?

    /// The identifiers that MQTT can carry.
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
