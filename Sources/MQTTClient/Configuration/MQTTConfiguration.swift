/// All that a connection needs to know.
public struct MQTTConfiguration: Sendable {
    /// Where to connect first.
    public var broker: MQTTBrokerAddress
    /// Other addresses of the same service, in order. After a failure the next attempt goes to the next
    /// address, behind the last one again to ``broker``; after a connection that was stable (see
    /// ``MQTTReconnectPolicy/stableAfter``) it begins with ``broker``. The delays are those of
    /// ``reconnect``, whichever address comes next. All are reached the same way (see ``security``).
    public var fallbackBrokers: [MQTTBrokerAddress]
    /// How the connection is protected. The initializer derives it where none is given: TLS with the
    /// system's authorities if one of the addresses asks for it, else plaintext, which reaches this machine
    /// only. Ports stay as they are in the addresses.
    public var security: MQTTSecurity
    public var clientID: MQTTClientID
    /// Whether no other client can have the id, because it is random: early closes are not reported as
    /// `likelyDuplicateClientID` then. An id that the broker assigns is always unique.
    public var isClientIDUnique = false
    public var version: MQTTProtocolVersion
    /// Forget an earlier session of this client id. On MQTT 5 the reconnects of a connection with a
    /// ``sessionExpiry`` resume its session all the same; on 3.1.1 every one begins afresh.
    public var cleanStart: Bool
    /// MQTT 5: how long the broker keeps the session after a disconnect, whole seconds; nil ends it
    /// with the connection. MQTT 3.1.1 keeps it for ever unless ``cleanStart``.
    public var sessionExpiry: Duration?
    /// 5 to 65,535 s. A silent broker is noticed after one and a half of it.
    public var keepAlive: Duration
    public var will: MQTTWill?
    public var credentials: MQTTCredentials?
    /// MQTT 5: how many unacknowledged QoS 1 and 2 messages the broker may send at once.
    public var receiveMaximum: UInt16
    /// MQTT 5: what else the broker is told in CONNECT.
    public var connectProperties: MQTTConnectProperties
    /// How many unacknowledged QoS 1 and 2 messages are sent at once; the broker may allow fewer.
    public var sendMaximum: UInt16
    /// MQTT 5: for how many topics a number stands in what is published, once the broker has read them in
    /// full on the same connection (Topic Alias); the broker may allow fewer. 0 always sends the topic.
    public var sendTopicAliasMaximum: UInt16
    /// The largest packet the broker may send, bytes, 0 for no limit; MQTT 5 announces it.
    public var maximumPacketSize: UInt32
    /// How many messages may wait behind ``sendMaximum``, or unwritten at QoS 0.
    public var maximumPendingMessages: Int
    /// How many bytes the waiting messages may occupy.
    public var maximumPendingBytes: Int
    /// For the TCP connection, the TLS handshake and the CONNACK together, of each address that is tried;
    /// before that, for finding the addresses of the broker and reading the files of TLS.
    public var connectTimeout: Duration
    /// How long the broker may leave everything unacknowledged that is due: PUBACK, PUBREC, SUBACK,
    /// UNSUBACK. Then the connection is given up with `acknowledgementTimeout` and made again, for MQTT
    /// forbids to send anything twice on one connection. As long as the socket is full and takes more now and
    /// then, nothing counts as overdue: it may still have to leave. Nil waits for ever.
    public var acknowledgementTimeout: Duration?
    /// When a broken connection is made again.
    public var reconnect: MQTTReconnectPolicy
    /// The local IPv4 or IPv6 address to connect from; more than 28,000 connections to one port need several.
    public var sourceAddress: String?

    /// Checks nothing but what its arguments have checked; see ``validate()``.
    public init(
        broker: MQTTBrokerAddress, fallbackBrokers: [MQTTBrokerAddress] = [],
        security: MQTTSecurity? = nil, clientID: MQTTClientID,
        version: MQTTProtocolVersion = .v5, cleanStart: Bool = true, sessionExpiry: Duration? = nil,
        keepAlive: Duration = .seconds(60), will: MQTTWill? = nil,
        credentials: MQTTCredentials? = nil, connectProperties: MQTTConnectProperties = .none,
        receiveMaximum: UInt16 = 1_000,
        sendMaximum: UInt16 = 100, sendTopicAliasMaximum: UInt16 = 0,
        maximumPacketSize: UInt32 = 1 << 20,
        maximumPendingMessages: Int = 10_000, maximumPendingBytes: Int = 16 << 20,
        connectTimeout: Duration = .seconds(10), acknowledgementTimeout: Duration? = .seconds(30),
        reconnect: MQTTReconnectPolicy = .init(),
        sourceAddress: String? = nil
    ) {
        self.broker = broker
        self.fallbackBrokers = fallbackBrokers
        let asksForTLS = broker.usesTLS || fallbackBrokers.contains(where: \.usesTLS)
        self.security = security ?? (asksForTLS ? .tls(MQTTTLSConfiguration()) : .plaintext)
        if self.security.tls != nil {
            self.broker.usesTLS = true
            for index in fallbackBrokers.indices { self.fallbackBrokers[index].usesTLS = true }
        }
        self.clientID = clientID
        self.version = version
        self.cleanStart = cleanStart
        self.sessionExpiry = sessionExpiry
        self.keepAlive = keepAlive
        self.will = will
        self.credentials = credentials
        self.connectProperties = connectProperties
        self.receiveMaximum = receiveMaximum
        self.sendMaximum = sendMaximum
        self.sendTopicAliasMaximum = sendTopicAliasMaximum
        self.maximumPacketSize = maximumPacketSize
        self.maximumPendingMessages = maximumPendingMessages
        self.maximumPendingBytes = maximumPendingBytes
        self.connectTimeout = connectTimeout
        self.acknowledgementTimeout = acknowledgementTimeout
        self.reconnect = reconnect
        self.sourceAddress = sourceAddress
    }

    /// Whether another client may use the same id by mistake.
    var canClientIDBeShared: Bool { !isClientIDUnique && clientID != .assignedByBroker }

    /// The broker of that place in the rotation: 0 is ``broker``.
    func broker(at index: Int) -> MQTTBrokerAddress {
        index == 0 ? broker : fallbackBrokers[index - 1]
    }
}
