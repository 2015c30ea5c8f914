import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
import MQTTClient

/// What all devices of a shard have in common.
struct ShardSettings: Sendable {
    let brokers: FleetBrokers
    let protocolVersion: FleetProtocolVersion
    let telemetryInterval: Duration
    /// How long the first device may take to reach the broker.
    let startLimit: Duration
    /// How devices connect again whose group says nothing of it.
    let reconnect: ReconnectRule
    let clock: FleetClock
    /// Whether the run is reported, with what every device made.
    let isReported: Bool
    let report: @Sendable (FleetNotice) -> Void
    /// What a scenario does to the devices.
    var script = FleetScript()
    /// As whom the scenario sends its commands; `nil` without one.
    var scenario: ControllerID?
    /// Who the devices are in Alink, where they speak it.
    var alink: AlinkFleet?

    /// How a device connects.
    /// - Parameters:
    ///   - planned: the device, and `index` its number in its process.
    ///   - will: what the broker publishes when the connection breaks.
    ///   - epoch: how many connections it had before, so that each draws other numbers.
    ///   - alink: what it says and hears in Alink; `nil` for the Homeport protocol.
    /// - Throws: `MQTTError` where the device cannot have a client id.
    func configuration(
        of slot: DeviceSlot, planned: PlannedDevice, numbered index: Int, will: PresenceMessage,
        epoch: Int, speaking alink: AlinkWire? = nil
    ) throws(MQTTError) -> MQTTConfiguration {
        let broker = brokers[slot.wire.home]
        let security = broker.security(of: slot.key)
        let policy = rule(of: planned).policy(seed: planned.seed(of: .reconnecting, number: epoch))
        var configuration =
            if let alink {
                try alink.configuration(
                    on: broker, security: security, clock: clock, reconnect: policy)
            } else {
                MQTTConfiguration(
                    broker: broker.address, security: security,
                    clientID: try MQTTClientID(slot.wire.clientID),
                    version: protocolVersion.mqtt, cleanStart: false,
                    sessionExpiry: protocolVersion.sessionExpiry,
                    will: MQTTWill(slot.wire.message(of: .presence(will))),
                    credentials: broker.credentials(of: slot.key), reconnect: policy)
            }
        let addresses = broker.addresses(seed: planned.seed(of: .reconnecting, number: epoch))
        configuration.broker = addresses[0]
        configuration.fallbackBrokers = Array(addresses.dropFirst())
        // A node that cleans up after another one has crashed ends the new connection of a device, too.
        configuration.reconnect.outlivesTakeovers = addresses.count > 1
        configuration.locator = broker.locator
        configuration.sourceAddress = brokers.source(of: index)
        return configuration
    }

    /// How long a device waits before it subscribes again, after so many earlier refusals on a connection.
    func pause(after refusals: Int, of planned: PlannedDevice) -> Duration {
        rule(of: planned).backoff.wait(after: refusals)
    }

    private func rule(of planned: PlannedDevice) -> ReconnectRule {
        planned.group.reconnect ?? reconnect
    }
}
