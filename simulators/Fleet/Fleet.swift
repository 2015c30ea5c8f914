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
    ///   - startLimit: how long the first device may take to reach the broker.
    ///   - clock: begins when the fleet runs, at the latest.
    ///   - isReported: whether ``report(seed:)`` is asked for.
    ///   - report: is called with events for the user on the event loop; it must not block.
    /// - Throws: ``FleetError`` if the journal cannot be written or no thread can be created.
    package init(
        plan: FleetPlan, journal: Journal, brokers: FleetBrokers,
        protocolVersion: FleetProtocolVersion = .v5, telemetryInterval: Duration = .seconds(5),
        startLimit: Duration = .seconds(5), clock: FleetClock = .system(),
        isReported: Bool = false, report: @escaping @Sendable (FleetNotice) -> Void
    ) throws(FleetError) {
        let settings = ShardSettings(
            brokers: brokers, protocolVersion: protocolVersion,
            telemetryInterval: telemetryInterval, startLimit: startLimit, clock: clock,
            isReported: isReported, report: report)
        do throws(MQTTError) {
            eventLoop = try MQTTEventLoop(label: "fleet")
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

    /// Lets something happen to all devices that are meant, or to none.
    /// - Parameter target: `all`, `sweepers`, `pools`, `stores`, `HOME/all`, `HOME/DEVICE`, or the name of
    ///   a device that one home has.
    /// - Returns: these devices afterwards.
    /// - Throws: `FaultRefusal` that says what is wrong, and what to do.
    package func carryOut(
        _ order: FaultOrder, on target: String
    ) async throws(FaultRefusal) -> [FleetDeviceStatus] {
        try await shard.carryOut(order, on: target)
    }

    /// What the run came to so far; the devices are there only if it was to be reported.
    package func report(seed: UInt64) async -> FleetReport { await shard.report(seed: seed) }

    /// The fleet at this moment.
    package func snapshot() async -> FleetSnapshot { await shard.snapshot }
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
