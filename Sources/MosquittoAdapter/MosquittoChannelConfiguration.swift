public import DeviceDomain
public import MQTTClient
internal import MQTTLink

/// Which broker a ``MosquittoChannel`` connects to, on whose behalf, and how patient it is.
public struct MosquittoChannelConfiguration: Sendable {
    /// Names the channel.
    public var id: ChannelID
    /// The broker.
    public var broker: MQTTBrokerAddress
    /// How the connection is protected; `nil` is TLS for an `mqtts://` address, else plaintext,
    /// which reaches this machine only.
    public var security: MQTTSecurity?
    /// The controller whose acknowledgements are heard.
    public var controller: ControllerID
    /// The version of MQTT.
    public var version: MQTTProtocolVersion
    /// User name and password, if the broker wants them.
    public var credentials: MQTTCredentials?
    /// For the TCP connection and the broker's answer together.
    public var connectTimeout: Duration
    /// A silent broker is noticed after one and a half of it.
    public var keepAlive: Duration
    /// When a lost connection is made again.
    public var reconnect: MQTTReconnectPolicy
    /// How long a replay waits for its fence (PROTOCOL section 1).
    public var fenceDeadline: Duration
    /// Over which time devices spread their answers to a hello.
    public var helloSpread: Duration
    /// How long a replay listens beyond ``helloSpread``.
    public var helloMargin: Duration

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

    /// The link's own configuration: the client id is `{controller}-{8 random}`.
    var link: MQTTLinkConfiguration {
        MQTTLinkConfiguration(
            broker: broker, security: security, version: version, credentials: credentials,
            clientIDPrefix: controller.text, connectTimeout: connectTimeout,
            keepAlive: keepAlive, reconnect: reconnect)
    }
}
