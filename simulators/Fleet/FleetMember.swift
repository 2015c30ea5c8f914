package import DeviceDomain
package import MQTTClient

/// One device on a broker of its own: a boxed device that has come into a home.
package struct FleetMember: Sendable {
    /// It never gives its broker up by itself.
    private static let startLimit = Duration.seconds(365 * 24 * 3600)

    private let shard: FleetShard

    /// Starts the device; it connects when it runs.
    ///
    /// - Parameters:
    ///   - journal: what the device remembers; the member is its only writer.
    ///   - report: is called with events for the user on the event loop; it must not block.
    /// - Throws: ``FleetError`` if the journal cannot be written.
    package init(
        device: PlannedDevice, journal: Journal, broker: FleetBroker,
        protocolVersion: FleetProtocolVersion, telemetryInterval: Duration,
        clock: FleetClock = .system(), eventLoop: MQTTEventLoop,
        report: @escaping @Sendable (FleetNotice) -> Void
    ) throws(FleetError) {
        let settings = ShardSettings(
            brokers: FleetBrokers([broker]), protocolVersion: protocolVersion,
            telemetryInterval: telemetryInterval, startLimit: Self.startLimit,
            reconnect: .standard, clock: clock, isReported: false, report: report)
        shard = try FleetShard(
            plan: [device], journal: journal, settings: settings, eventLoop: eventLoop)
    }

    /// Runs the device until a graceful shutdown, in which it publishes that it goes offline, or until it
    /// has left.
    /// - Throws: ``FleetError``.
    package func run() async throws(FleetError) { try await shard.run() }

    /// Has the device go offline and the broker forget what it retains of it, unless a claim was committed.
    /// - Returns: whether it leaves.
    package func leave(unlessCommitted claim: ClaimNonce) async -> Bool {
        await shard.leave(unlessCommitted: claim)
    }
}
