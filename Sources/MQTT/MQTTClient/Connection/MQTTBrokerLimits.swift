/// The capabilities and requirements of a broker, from its CONNACK. On 3.1.1, and for fields that the
/// CONNACK leaves out, the defaults of MQTT 5 section 3.2.2.3.
public struct MQTTBrokerLimits: Sendable, Hashable {
    /// How many unacknowledged QoS 1 and 2 messages the broker accepts at once.
    public var receiveMaximum: UInt16 = 65_535
    /// The largest packet it accepts, bytes; nil is the limit of MQTT itself, 268,435,460.
    public var maximumPacketSize: UInt32?
    /// The highest quality of service at which it accepts messages.
    public var maximumQoS: MQTTQoS = .exactlyOnce
    /// Whether it supports retained messages.
    public var retainAvailable = true
    /// Whether filters may contain `+` and `#`.
    public var wildcardSubscriptionsAvailable = true
    /// Whether filters may begin with `$share/`.
    public var sharedSubscriptionsAvailable = true
    /// Whether it adds subscription identifiers to messages; never on 3.1.1.
    public var subscriptionIdentifiersAvailable = true
    /// The highest topic alias that it accepts; 0 is none.
    public var topicAliasMaximum: UInt16 = 0
    /// The keep-alive interval that it requires instead of the client's.
    public var serverKeepAlive: Duration?
    /// The session expiry that it grants instead of the requested one.
    public var sessionExpiry: Duration?
    /// The client id that it has assigned.
    public var assignedClientID: String?
    /// Where responses may be sent, in a form that the broker defines; only if requested (see
    /// ``MQTTConnectProperties/requestsResponseInformation``).
    public var responseInformation: String?
    /// The reason string of the broker.
    public var reasonString: String?
    /// Another broker to use instead.
    public var serverReference: String?
    /// The authentication method that it has accepted.
    public var authenticationMethod: String?
    /// The broker's data for that method.
    public var authenticationData: [UInt8]?
    /// The user properties of the broker.
    public var userProperties: [MQTTProperties.UserProperty] = []

    public init() {}

    /// The keep-alive interval in force. With a server keep-alive of zero a dead connection would go unnoticed:
    /// the client's own stays in force.
    func keepAlive(insteadOf own: Duration) -> Duration {
        serverKeepAlive.flatMap { $0 > .zero ? $0 : nil } ?? own
    }
}
