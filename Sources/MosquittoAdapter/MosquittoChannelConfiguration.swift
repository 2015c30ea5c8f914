public import DeviceDomain
public import MQTTClient

/// Which broker a ``MosquittoChannel`` connects to, on whose behalf, and how patient it is.
public struct MosquittoChannelConfiguration: Sendable {
    /// The broker.
    public var broker: MQTTBrokerAddress
    /// How the connection is protected; nil is TLS for an `mqtts://` address, else plaintext, which
    /// reaches this machine only.
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
    /// How long a survey waits for its fence (PROTOCOL section 1).
    public var fenceDeadline: Duration
    /// Over which time devices spread their answers to a hello.
    public var helloSpread: Duration
    /// How long a survey listens beyond ``helloSpread``.
    public var helloMargin: Duration

    public init(
        broker: MQTTBrokerAddress, security: MQTTSecurity? = nil, controller: ControllerID,
        version: MQTTProtocolVersion = .v5, credentials: MQTTCredentials? = nil,
        connectTimeout: Duration = .seconds(10),
        keepAlive: Duration = .seconds(15),
        reconnect: MQTTReconnectPolicy = MQTTReconnectPolicy(
            initial: .milliseconds(500), cap: .seconds(10)),
        fenceDeadline: Duration = .seconds(5), helloSpread: Duration = .seconds(1),
        helloMargin: Duration = .milliseconds(500)
    ) {
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

    /// The connection's own configuration: `{controller}-{8 random}`, clean start, no session.
    func connection(
        using generator: inout some RandomNumberGenerator
    ) throws(MQTTError) -> MQTTConfiguration {
        let suffix = String.randomHex(digits: 8, using: &generator)
        return MQTTConfiguration(
            broker: broker, security: security,
            clientID: try MQTTClientID("\(controller.text)-\(suffix)"),
            version: version, cleanStart: true, keepAlive: keepAlive, credentials: credentials,
            connectTimeout: connectTimeout, reconnect: reconnect)
    }
}

extension String {
    /// Random digits of base 16, at most 16 of them.
    static func randomHex(digits: Int, using generator: inout some RandomNumberGenerator) -> String
    {
        let number = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
        return String((String(repeating: "0", count: 16) + number).suffix(digits))
    }
}
