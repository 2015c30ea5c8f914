import DeviceMessages
import DeviceSimulation
import DeviceTopics
import MQTTClient

/// What all devices of a shard have in common.
struct ShardSettings: Sendable {
    /// Over which the devices come back when their broker was away for a moment.
    private static let reconnectSpread = Duration.seconds(5)

    let brokers: FleetBrokers
    let protocolVersion: FleetProtocolVersion
    let telemetryInterval: Duration
    /// How long the first device may take to reach the broker.
    let startLimit: Duration
    let clock: FleetClock
    /// Whether the run is reported, with what every device made.
    let isReported: Bool
    let report: @Sendable (FleetNotice) -> Void

    /// How a device connects.
    /// - Parameters:
    ///   - index: its number in its process.
    ///   - will: what the broker publishes when the connection breaks.
    /// - Throws: `MQTTError` where the device cannot have a client id.
    func configuration(
        of slot: DeviceSlot, numbered index: Int, will: PresenceMessage
    ) throws(MQTTError) -> MQTTConfiguration {
        let broker = brokers[slot.wire.home]
        var configuration = MQTTConfiguration(
            broker: broker.address, security: broker.security(of: slot.key),
            clientID: try MQTTClientID(slot.wire.clientID),
            version: protocolVersion.mqtt, cleanStart: false,
            sessionExpiry: protocolVersion.sessionExpiry,
            will: MQTTWill(slot.wire.message(of: .presence(will))),
            credentials: broker.credentials(of: slot.key),
            reconnect: MQTTReconnectPolicy(spread: Self.reconnectSpread))
        configuration.locator = broker.locator
        configuration.sourceAddress = brokers.source(of: index)
        return configuration
    }
}
