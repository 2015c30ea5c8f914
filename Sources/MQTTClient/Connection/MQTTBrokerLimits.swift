/// What a broker can do and what it asks for: the negotiated capabilities, as its CONNACK states them. On
/// 3.1.1, and where it was silent, the defaults of MQTT 5 section 3.2.2.3.
public struct MQTTBrokerLimits: Sendable, Hashable {
    /// How many unacknowledged QoS 1 and 2 messages the broker takes at once.
    public var receiveMaximum: UInt16 = 65_535
    /// The largest packet it takes, bytes; nil is no limit but MQTT's own, 268,435,460.
    public var maximumPacketSize: UInt32?
    /// The highest quality of service at which it takes messages.
    public var maximumQoS: MQTTQoS = .exactlyOnce
    /// Whether it keeps retained messages.
    public var retainAvailable = true
    /// Whether filters may contain `+` and `#`.
    public var wildcardSubscriptionsAvailable = true
    /// Whether filters may begin with `$share/`.
    public var sharedSubscriptionsAvailable = true
    /// Whether messages can carry the identifiers of the subscriptions that they match; never on 3.1.1.
    public var subscriptionIdentifiersAvailable = true
    /// The highest topic alias that it takes; 0 is none.
    public var topicAliasMaximum: UInt16 = 0
    /// The keep-alive interval it wants instead of the client's.
    public var serverKeepAlive: Duration?
    /// The session expiry it grants instead of the one asked for.
    public var sessionExpiry: Duration?
    /// The client id it has chosen for a client that asked for one.
    public var assignedClientID: String?
    /// Where answers may be sent to, in a form that the broker defines; only if asked for (see
    /// ``MQTTConnectProperties/requestsResponseInformation``).
    public var responseInformation: String?
    /// The broker's own words.
    public var reasonString: String?
    /// Another broker to use instead.
    public var serverReference: String?
    /// The authentication method that it has accepted.
    public var authenticationMethod: String?
    /// What that method has the broker say.
    public var authenticationData: [UInt8]?
    /// Names and values of the broker's own.
    public var userProperties: [MQTTProperties.UserProperty] = []

    public init() {}
}
