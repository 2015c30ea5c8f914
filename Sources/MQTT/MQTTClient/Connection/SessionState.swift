/// What a connection and the broker keep of each other from one attempt to the next: the client id, the
/// session, and its unfinished QoS 2 exchanges. A value type.
struct SessionState {
    /// The configured client id, or the one that the broker has assigned.
    private(set) var clientID: MQTTClientID
    /// Whether the present connection has resumed a session of the broker.
    private(set) var isResumed = false
    /// Whether the broker keeps a session that this connection created.
    private var isKept = false
    private var unreleased = UnreleasedPackets()

    init(clientID: MQTTClientID) {
        self.clientID = clientID
    }

    /// Whether the next CONNECT discards the broker's session. A session with an expiry that this connection
    /// itself created is resumed instead. MQTT 3.1.1 has no session expiry.
    func startsClean(_ configuration: MQTTConfiguration) -> Bool {
        configuration.cleanStart && !isKept
    }

    /// The packet identifier after which a connection should begin, so that it meets those of unfinished
    /// exchanges as late as possible; nil if there are none.
    var lastIdentifierToSkip: UInt16? { unreleased.lastBeforeLongestGap }

    /// A handle for an attempt to connect. Each has its own, so that nothing of an earlier session is sent again.
    func handle(
        _ configuration: MQTTConfiguration, tls: TLSContext?, buffers: SharedLibraryBuffers
    ) throws(MQTTError) -> MosquittoHandle {
        let handle = try MosquittoHandle(
            configuration: configuration, clientID: clientID,
            cleanStart: startsClean(configuration), tls: tls, buffers: buffers)
        if let last = lastIdentifierToSkip { handle.skipPackets(through: last) }
        return handle
    }

    /// The broker accepted a connection. Throws `protocolViolation` if its CONNACK contradicts the CONNECT.
    mutating func accepted(
        isSessionPresent: Bool, limits: MQTTBrokerLimits, as configuration: MQTTConfiguration,
        by broker: @autoclosure () -> MQTTBrokerAddress
    ) throws(MQTTError) {
        guard !isSessionPresent || !startsClean(configuration) else {
            throw .unrequestedSession(at: broker())
        }
        if clientID == .assignedByBroker {
            guard let assigned = limits.assignedClientID, let name = try? MQTTClientID(assigned)
            else { throw .noClientIDAssigned(by: broker()) }
            clientID = name
        }
        let expiry = limits.sessionExpiry ?? configuration.sessionExpiry ?? .zero
        isKept = configuration.version == .v5 && expiry > .zero
        isResumed = isSessionPresent
        if !isSessionPresent { unreleased = UnreleasedPackets() }
    }

    /// The connection failed for good: a later start begins with a new session.
    mutating func stopped() {
        isKept = false
    }

    /// A message was sent under a packet identifier. Returns whether the broker's session holds an unfinished
    /// exchange under it, so that it would discard the message as a duplicate.
    mutating func sent(_ packet: UInt16, _ qos: MQTTQoS) -> Bool {
        guard qos > .atMostOnce else { return false }
        let isHeld = unreleased.contains(packet)
        if qos == .exactlyOnce { unreleased.insert(packet) }
        return isHeld
    }

    /// The exchange under a packet identifier is finished.
    mutating func finished(_ packet: UInt16) {
        if !unreleased.isEmpty { unreleased.remove(packet) }
    }
}
