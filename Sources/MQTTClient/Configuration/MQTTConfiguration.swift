/// All that a connection needs to know.
public struct MQTTConfiguration: Sendable {
    public var broker: MQTTBrokerAddress
    /// How the connection is protected. Without one it follows from ``broker``: TLS with the system's
    /// authorities for `mqtts://`, else plaintext, which reaches this machine only.
    public var security: MQTTSecurity
    public var clientID: MQTTClientID
    public var version: MQTTProtocolVersion
    /// Forget an earlier session of this client id.
    public var cleanStart: Bool
    /// MQTT 5: how long the broker keeps the session after a disconnect, whole seconds; nil ends it
    /// with the connection. MQTT 3.1.1 keeps it for ever unless ``cleanStart``.
    public var sessionExpiry: Duration?
    /// At least 5 s. A silent broker is noticed after one and a half of it.
    public var keepAlive: Duration
    public var will: MQTTWill?
    public var credentials: MQTTCredentials?
    /// MQTT 5: how many unacknowledged QoS 1 and 2 messages the broker may send at once.
    public var receiveMaximum: UInt16
    /// How many unacknowledged QoS 1 and 2 messages are sent at once; the broker may allow fewer.
    public var sendMaximum: UInt16
    /// MQTT 5: the largest packet the broker may send, bytes.
    public var maximumPacketSize: UInt32
    /// How many messages may wait behind ``sendMaximum``, or unwritten at QoS 0.
    public var maximumPendingMessages: Int
    /// How many bytes the waiting messages may occupy.
    public var maximumPendingBytes: Int
    /// For the TCP connection and the CONNACK together.
    public var connectTimeout: Duration
    public var reconnect: MQTTReconnectPolicy
    /// The local address to connect from; more than 28,000 connections to one port need several.
    public var sourceAddress: String?

    public init(
        broker: MQTTBrokerAddress, security: MQTTSecurity? = nil, clientID: MQTTClientID,
        version: MQTTProtocolVersion = .v5, cleanStart: Bool = true, sessionExpiry: Duration? = nil,
        keepAlive: Duration = .seconds(60), will: MQTTWill? = nil,
        credentials: MQTTCredentials? = nil, receiveMaximum: UInt16 = 1_000,
        sendMaximum: UInt16 = 100, maximumPacketSize: UInt32 = 1 << 20,
        maximumPendingMessages: Int = 10_000, maximumPendingBytes: Int = 16 << 20,
        connectTimeout: Duration = .seconds(10), reconnect: MQTTReconnectPolicy = .init(),
        sourceAddress: String? = nil
    ) {
        self.broker = broker
        self.security = security ?? (broker.usesTLS ? .tls(MQTTTLSConfiguration()) : .plaintext)
        if self.security.tls != nil { self.broker.usesTLS = true }
        self.clientID = clientID
        self.version = version
        self.cleanStart = cleanStart
        self.sessionExpiry = sessionExpiry
        self.keepAlive = keepAlive
        self.will = will
        self.credentials = credentials
        self.receiveMaximum = receiveMaximum
        self.sendMaximum = sendMaximum
        self.maximumPacketSize = maximumPacketSize
        self.maximumPendingMessages = maximumPendingMessages
        self.maximumPendingBytes = maximumPendingBytes
        self.connectTimeout = connectTimeout
        self.reconnect = reconnect
        self.sourceAddress = sourceAddress
    }
}
