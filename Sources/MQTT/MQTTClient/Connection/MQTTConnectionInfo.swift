/// An accepted connection.
public struct MQTTConnectionInfo: Sendable, Hashable {
    /// Whether the broker resumed a session of this client id, with its subscriptions.
    public var sessionPresent: Bool
    /// The client id in force: the configured one, or the one that the broker has assigned.
    public var clientID: MQTTClientID
    public var version: MQTTProtocolVersion
    /// The keep-alive interval in force.
    public var keepAlive: Duration
    /// The capabilities of the broker.
    public var limits: MQTTBrokerLimits
    /// The broker: the configured one or one of its fallbacks.
    public var broker: MQTTBrokerAddress
    /// The numeric address of the broker.
    public var address: String

    public init(
        sessionPresent: Bool, clientID: MQTTClientID, version: MQTTProtocolVersion,
        keepAlive: Duration, limits: MQTTBrokerLimits = .init(), broker: MQTTBrokerAddress,
        address: String
    ) {
        self.sessionPresent = sessionPresent
        self.clientID = clientID
        self.version = version
        self.keepAlive = keepAlive
        self.limits = limits
        self.broker = broker
        self.address = address
    }
}

extension MQTTConnectionInfo {
    /// What a connection has found out about its session and its broker.
    init(
        _ session: SessionState, _ limits: MQTTBrokerLimits, as configuration: MQTTConfiguration,
        at broker: MQTTBrokerAddress, _ address: String
    ) {
        self.init(
            sessionPresent: session.isResumed, clientID: session.clientID,
            version: configuration.version,
            keepAlive: limits.keepAlive(insteadOf: configuration.keepAlive), limits: limits,
            broker: broker, address: address)
    }
}
