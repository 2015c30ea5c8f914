/// What a broker said in CONNACK about itself; on 3.1.1, and where it was silent, the defaults of
/// MQTT 5 section 3.2.2.3.
public struct MQTTBrokerLimits: Sendable, Hashable {
    /// How many unacknowledged QoS 1 and 2 messages the broker takes at once.
    public var receiveMaximum: UInt16 = 65_535
    /// The largest packet it takes, bytes; nil is no limit.
    public var maximumPacketSize: UInt32?
    public var maximumQoS: MQTTQoS = .exactlyOnce
    public var retainAvailable = true
    public var wildcardSubscriptionsAvailable = true
    public var sharedSubscriptionsAvailable = true
    /// The keep-alive interval it wants instead of the client's.
    public var serverKeepAlive: Duration?
    /// The session expiry it grants instead of the one asked for.
    public var sessionExpiry: Duration?
    public var assignedClientID: String?
    /// The broker's own words.
    public var reasonString: String?
    /// Another broker to use instead.
    public var serverReference: String?

    public init() {}
}
