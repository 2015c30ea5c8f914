public import DeviceDomain
public import MQTTClient
internal import MQTTLink

/// Broker, controller and timing of a ``MosquittoChannel``.
public struct MosquittoChannelConfiguration: Sendable {
    /// The id of the channel.
    public var id: ChannelID
    /// The broker.
    public var broker: MQTTBrokerAddress
    /// Other addresses of the same cluster. The channel begins at a random one, and tries them in turn.
    public var otherBrokers: [MQTTBrokerAddress] = []
    /// How the connection is protected; `nil` is TLS for an `mqtts://` address, else plaintext,
    /// which reaches this machine only.
    public var security: MQTTSecurity?
    /// The controller whose acknowledgements are received.
    public var controller: ControllerID
    /// The version of MQTT.
    public var version: MQTTProtocolVersion
    /// User name and password, if the broker requires them.
    public var credentials: MQTTCredentials?
    /// The limit for the TCP connection and the broker's answer together.
    public var connectTimeout: Duration
    /// A broker that stays silent for one and a half times as long counts as lost.
    public var keepAlive: Duration
    /// When to reconnect after a lost connection.
    public var reconnect: MQTTReconnectPolicy
    /// How long a replay waits for its fence (PROTOCOL section 1).
    public var fenceDeadline: Duration
    /// The time over which devices spread their answers to a hello.
    public var helloSpread: Duration
    /// How long a replay waits for answers after ``helloSpread``.
    public var helloMargin: Duration
    /// Says before each attempt where the broker is, in place of ``broker`` and ``credentials``.
    package var locator: (any MQTTBrokerLocator)?

    public init(
        id: ChannelID, broker: MQTTBrokerAddress, security: MQTTSecurity? = nil,
        controller: ControllerID, version: MQTTProtocolVersion = .v5,
        credentials: MQTTCredentials? = nil, connectTimeout: Duration = .seconds(10),
        keepAlive: Duration = .seconds(15),
        reconnect: MQTTReconnectPolicy = MQTTReconnectPolicy(
            initial: .milliseconds(500), cap: .seconds(10)),
        fenceDeadline: Duration = .seconds(5), helloSpread: Duration = .seconds(1),
        helloMargin: Duration = .milliseconds(500)
    ) {
        self.id = id
        self.broker = broker
        self.security = security
        self.controller = controller
        self.version = version
        self.credentials = credentials
        self.connectTimeout = connectTimeout
        self.keepAlive = keepAlive
        self.reconnect = reconnect
        self.fenceDeadline = fenceDeadline
        self.helloSpread = helloSpread
        self.helloMargin = helloMargin
    }

    /// The configuration of the link. The client id is `{controller}-{8 random}`.
    var link: MQTTLinkConfiguration {
        var link = MQTTLinkConfiguration(
            broker: broker, security: security, version: version, credentials: credentials,
            clientIDPrefix: controller.text, connectTimeout: connectTimeout,
            keepAlive: keepAlive, reconnect: reconnect)
        link.otherBrokers = otherBrokers
        link.locator = locator
        return link
    }
}
