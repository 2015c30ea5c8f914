internal import Basics
public import MQTTClient

/// Broker, security and timing of an ``MQTTLink``.
public struct MQTTLinkConfiguration: Sendable {
    /// The broker.
    public var broker: MQTTBrokerAddress
    /// Other addresses of the same cluster. A link begins at a random one, and tries them in turn.
    public var otherBrokers: [MQTTBrokerAddress] = []
    /// How the connection is protected; `nil` is TLS for an `mqtts://` address, else plaintext,
    /// which reaches this machine only.
    public var security: MQTTSecurity?
    /// The version of MQTT.
    public var version: MQTTProtocolVersion
    /// User name and password, if the broker requires them.
    public var credentials: MQTTCredentials?
    /// The client id is this prefix, a hyphen and 8 random digits.
    public var clientIDPrefix: String
    /// The limit for the TCP connection and the broker's answer together, over all brokers. When the link is opened,
    /// a broker that is away is tried again for as long.
    public var connectTimeout: Duration
    /// A broker that stays silent for one and a half times as long counts as lost.
    public var keepAlive: Duration
    /// When to reconnect after a lost connection.
    public var reconnect: MQTTReconnectPolicy
    /// The largest packet to accept from the broker, bytes.
    public var maximumPacketSize: UInt32
    /// Says before each attempt where the broker is, in place of ``broker`` and ``credentials``.
    package var locator: (any MQTTBrokerLocator)?

    public init(
        broker: MQTTBrokerAddress, security: MQTTSecurity? = nil,
        version: MQTTProtocolVersion = .v5, credentials: MQTTCredentials? = nil,
        clientIDPrefix: String, connectTimeout: Duration = .seconds(10),
        keepAlive: Duration = .seconds(15),
        reconnect: MQTTReconnectPolicy = MQTTReconnectPolicy(
            initial: .milliseconds(500), cap: .seconds(10)),
        maximumPacketSize: UInt32 = 1 << 20
    ) {
        self.broker = broker
        self.security = security
        self.version = version
        self.credentials = credentials
        self.clientIDPrefix = clientIDPrefix
        self.connectTimeout = connectTimeout
        self.keepAlive = keepAlive
        self.reconnect = reconnect
        self.maximumPacketSize = maximumPacketSize
    }

    /// The connection's own configuration: a random client id, clean start, no session.
    func connection() throws(MQTTError) -> MQTTConfiguration {
        let suffix = String.randomHex(digits: 8)
        var generator = SystemGenerator()
        let brokers = ([broker] + otherBrokers).fromRandomOne(using: &generator)
        var configuration = MQTTConfiguration(
            broker: brokers[0], fallbackBrokers: Array(brokers.dropFirst()), security: security,
            clientID: try MQTTClientID("\(clientIDPrefix)-\(suffix)"), version: version,
            cleanStart: true, keepAlive: keepAlive, credentials: credentials,
            maximumPacketSize: maximumPacketSize, connectTimeout: connectTimeout / brokers.count,
            reconnect: reconnect)
        configuration.isClientIDUnique = true
        configuration.locator = locator
        return configuration
    }
}

extension String {
    /// Random digits of base 16, at most 16 of them.
    package static func randomHex(digits: Int) -> String {
        String(UInt64.random(in: .min ... .max).hexadecimal.suffix(digits))
    }
}
