/// The configuration of a connection.
public struct MQTTConfiguration: Sendable {
    /// The broker to connect to first.
    public var broker: MQTTBrokerAddress
    /// Other addresses of the same service, in order. After a failure the next attempt uses the next address,
    /// and after the last one ``broker`` again. After a stable connection (see
    /// ``MQTTReconnectPolicy/stableAfter``) it starts with ``broker``. The delays of ``reconnect`` apply
    /// whichever address is next. ``security`` applies to all of them.
    public var fallbackBrokers: [MQTTBrokerAddress]
    /// How the connection is protected. By default the initializer chooses TLS with the system's authorities
    /// if one of the addresses uses TLS, else plaintext, which can only connect to this machine. The ports of
    /// the addresses do not change.
    public var security: MQTTSecurity
    public var clientID: MQTTClientID
    /// Whether no other client can have the id, because it is random: early closes are not reported as
    /// `likelyDuplicateClientID` then. An id that the broker assigns is always unique.
    public var isClientIDUnique = false
    /// Whether TCP acknowledgements are sent at once, so that a broker without TCP_NODELAY does not wait for
    /// them. A diagnosis leaves them to the system to see how the broker treats other clients.
    package var acknowledgesSegmentsAtOnce = true
    /// Says before each attempt where the broker is, in place of ``broker``, ``fallbackBrokers`` and
    /// ``credentials``.
    package var locator: (any MQTTBrokerLocator)?
    public var version: MQTTProtocolVersion
    /// Whether the broker discards an earlier session of this client id. On MQTT 5 a connection with a
    /// ``sessionExpiry`` still resumes its own session after a reconnect; on 3.1.1 every connection starts
    /// a new session.
    public var cleanStart: Bool
    /// MQTT 5: how long the broker keeps the session after a disconnect, whole seconds; nil ends it
    /// with the connection. On MQTT 3.1.1 the session never expires unless ``cleanStart`` is set.
    public var sessionExpiry: Duration?
    /// The keep-alive interval, 5 to 65,535 s. A broker that stays silent for one and a half times as long
    /// counts as lost.
    public var keepAlive: Duration
    public var will: MQTTWill?
    public var credentials: MQTTCredentials?
    /// MQTT 5: how many unacknowledged QoS 1 and 2 messages the broker may send at once.
    public var receiveMaximum: UInt16
    /// MQTT 5: further properties of CONNECT.
    public var connectProperties: MQTTConnectProperties
    /// How many unacknowledged QoS 1 and 2 messages are sent at once; the broker may allow fewer.
    public var sendMaximum: UInt16
    /// MQTT 5: how many topic aliases to use for publishing; the broker may allow fewer. 0 always sends the
    /// full topic.
    public var sendTopicAliasMaximum: UInt16
    /// The largest packet the broker may send, bytes, 0 for no limit; MQTT 5 announces it.
    public var maximumPacketSize: UInt32
    /// How many messages may be queued behind ``sendMaximum``, or unwritten at QoS 0.
    public var maximumPendingMessages: Int
    /// The most bytes that queued messages may occupy.
    public var maximumPendingBytes: Int
    /// The limit for TCP connection, TLS handshake and CONNACK together; the addresses of a host share it, so
    /// that one that does not answer leaves time for the next. Also the limit for resolving the host name and
    /// reading the TLS files before that.
    public var connectTimeout: Duration
    /// How long the broker may send none of the outstanding acknowledgements (PUBACK, PUBREC, SUBACK,
    /// UNSUBACK). Then the connection fails with `acknowledgementTimeout` and reconnects, because MQTT does
    /// not allow to resend on the same connection. The time does not run while the socket is full but makes
    /// progress, because the packets may not have been sent yet. Nil is no limit.
    public var acknowledgementTimeout: Duration?
    /// When to reconnect after a failure.
    public var reconnect: MQTTReconnectPolicy
    /// The local IPv4 or IPv6 address to connect from; more than 28,000 connections to one port need several.
    public var sourceAddress: String?

    /// Does not validate the values; see ``validate()``.
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

    /// Whether another client could use the same id by mistake.
    var canClientIDBeShared: Bool { !isClientIDUnique && clientID != .assignedByBroker }

    /// The broker at an index of the rotation: 0 is ``broker``.
    func broker(at index: Int) -> MQTTBrokerAddress {
        index == 0 ? broker : fallbackBrokers[index - 1]
    }
}
