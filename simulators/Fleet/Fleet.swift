package import DeviceDomain
package import DeviceSimulation
import MQTTClient
import ServiceLifecycle

/// Simulated devices on a broker, as one service.
package struct Fleet: Service {
    private let eventLoop: MQTTEventLoop
    let shard: FleetShard

    /// Starts the devices of a plan; they connect when the fleet runs.
    ///
    /// - Parameters:
    ///   - journal: what the devices remember; the fleet is its only writer.
    ///   - reconnect: how devices connect again whose group says nothing of it.
    ///   - startLimit: how long the first device may take to reach the broker.
    ///   - clock: begins when the fleet runs, at the latest.
    ///   - isReported: whether ``report(seed:)`` is asked for.
    ///   - script: what happens to the devices at times of their world.
    ///   - scenario: as whom the scenario sends its commands, which it counts itself; `nil` without one.
    ///   - alink: who the devices are in Alink, where they speak it.
    ///   - report: is called with events for the user on the event loop; it must not block.
    /// - Throws: ``FleetError`` if the journal cannot be written or no thread can be created.
    package init(
        plan: FleetPlan, journal: Journal, brokers: FleetBrokers,
        protocolVersion: FleetProtocolVersion = .v5, telemetryInterval: Duration = .seconds(5),
        reconnect: ReconnectRule = .standard, startLimit: Duration = .seconds(5),
        clock: FleetClock = .system(), isReported: Bool = false,
        script: FleetScript = FleetScript(), scenario: ControllerID? = nil,
        alink: AlinkFleet? = nil,
        report: @escaping @Sendable (FleetNotice) -> Void
    ) throws(FleetError) {
        var settings = ShardSettings(
            brokers: brokers, protocolVersion: protocolVersion,
            telemetryInterval: telemetryInterval, startLimit: startLimit, reconnect: reconnect,
            clock: clock, isReported: isReported, report: report)
        settings.script = script
        settings.scenario = scenario
        settings.alink = alink
        do throws(MQTTError) {
            eventLoop = try MQTTEventLoop(label: "fleet", reconnectBudget: .individual)
        } catch { throw FleetError(.internal, error.message) }
        shard = try FleetShard(
            plan: plan.devices, journal: journal, settings: settings, eventLoop: eventLoop)
    }

    /// Runs the devices until a graceful shutdown, in which they publish that they go offline.
    /// - Throws: ``FleetError``.
    package func run() async throws {
        do {
            try await shard.run()
        } catch {
            await eventLoop.shutdown()
            throw error
        }
        await eventLoop.shutdown()
    }

    /// Ends the run as a graceful shutdown does.
    package func end() async { await shard.end() }

    /// Every device at this moment.
    package func statuses() async -> [FleetDeviceStatus] { await shard.statuses }

    /// The devices that are meant, at this moment.
    /// - Throws: `FaultRefusal` if there are none.
    package func statuses(of target: String) async throws(FaultRefusal) -> [FleetDeviceStatus] {
        try await shard.statuses(of: target)
    }

    /// Lets something happen to the devices that are meant, or to none.
    /// - Parameters:
    ///   - target: as ``FaultTarget`` reads it: `all`, `sweepers`, `home-2`, `home-2/pools`, `HOME/DEVICE`,
    ///     `access-point:NAME` and others.
    ///   - share: this part of them, above 0 and at most 1; at least one device, chosen by seed, fault and target.
    /// - Returns: these devices afterwards.
    /// - Throws: `FaultRefusal` that says what is wrong, and what to do.
    package func carryOut(
        _ order: FaultOrder, on target: String, share: Double = 1
    ) async throws(FaultRefusal) -> [FleetDeviceStatus] {
        try await carryOut(order, on: target, FaultShare(share))
    }

    /// Lets something happen to a share of the devices that are meant.
    /// - Returns: these devices afterwards; none where the share has none of this part of a fleet.
    /// - Throws: `FaultRefusal` that says what is wrong, and what to do.
    package func carryOut(
        _ order: FaultOrder, on target: String, _ share: FaultShare
    ) async throws(FaultRefusal) -> [FleetDeviceStatus] {
        try await shard.carryOut(order, on: target, share)
    }

    /// What the run came to so far; the devices are there only if it was to be reported.
    package func report(seed: UInt64) async -> FleetReport { await shard.report(seed: seed) }

    /// The fleet at this moment.
    package func snapshot() async -> FleetSnapshot { await FleetSnapshot(of: shard) }
}

// The world clock.
extension Fleet {
    /// Lets the world stand still.
    /// - Returns: what its clock shows.
    package func pauseWorld() async -> Timestamp { await shard.pauseWorld() }

    /// Lets a world go on that stood still.
    /// - Parameter time: the monotonic time at which it shows what it showed.
    package func resumeWorld(at time: Duration) async { await shard.resumeWorld(at: time) }

    /// The next instant of any device; `nil` without devices.
    package func nextInstant() async -> Timestamp? { await shard.nextInstant }

    /// Takes a world that stands still to an instant.
    package func advanceWorld(to instant: Timestamp) async {
        await shard.advanceWorld(to: instant)
    }
}
