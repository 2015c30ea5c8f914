import Basics
package import DeviceDomain
import DeviceSimulation

/// A run without a broker: the world goes on as fast as the machine allows.
package struct VirtualRun: Sendable {
    private let plan: FleetPlan
    private let seed: UInt64
    private let telemetryInterval: Duration
    private let epoch: Timestamp
    private let duration: Duration
    private let report: @Sendable (FleetNotice) -> Void

    /// How far a home is taken at once, so that what its devices make is used up soon.
    private static let stride = Duration.seconds(5)

    /// - Parameters:
    ///   - duration: how far the world goes.
    ///   - report: is called with events for the user, from several threads.
    package init(
        of plan: FleetPlan, seed: UInt64, telemetryInterval: Duration, epoch: Timestamp,
        duration: Duration, report: @escaping @Sendable (FleetNotice) -> Void = { _ in }
    ) {
        self.plan = plan
        self.seed = seed
        self.telemetryInterval = telemetryInterval
        self.epoch = epoch
        self.duration = duration
        self.report = report
    }

    /// Runs all homes, as many at a time as the machine has processors.
    /// - Throws: ``FleetError``.
    package func run() async throws -> FleetReport {
        let begin = ContinuousClock.now
        let homes = plan.homes
        let results = try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var results = [Result](repeating: Result(), count: homes.count)
            for (index, home) in homes.enumerated() {
                // All homes are alike enough: the ways of the first one's robots are drawn.
                group.addTask { (index, try await simulate(home, isTraced: index == 0)) }
            }
            for try await (index, made) in group { results[index] = made }
            return results
        }
        var report = FleetReport(
            seed: seed, epoch: epoch, world: duration, wall: begin.duration(to: .now))
        report.devices = results.flatMap(\.devices)
        report.traces = results.flatMap(\.traces).chosen()
        report.invariants = results.reduce(into: InvariantRecord()) { $0.add($1.invariants) }
        return report
    }

    /// What a home came to.
    private struct Result {
        var devices: [FleetReport.Device] = []
        var traces: [DeviceTrace] = []
        var invariants = InvariantRecord()
    }

    private func simulate(
        _ planned: ArraySlice<PlannedDevice>, isTraced: Bool
    ) async throws -> Result {
        guard let first = planned.first else { return Result() }
        let devices = try planned.map(start)
        let household = Household(
            home: first.identity.home, seed: first.homeSeed, region: first.regionSeed, at: epoch)
        var home = HomeWorld(devices, in: household, at: epoch)
        var transcripts = planned.map {
            DeviceTranscript(of: DeviceWire(home: $0.identity.home, device: $0.identity.device))
        }
        var traces = DeviceTraces(of: isTraced ? planned.map(\.identity) : [])
        var passed = Duration.zero
        while true {
            for output in home.handle(.wake, of: 0, at: moment(passed)) {
                for case .made(let publication) in output.actions {
                    transcripts[output.place].add(publication)
                    traces.note(publication, of: output.place)
                }
            }
            for violation in home.takeViolations() { report(.violated(violation)) }
            guard passed < duration else { break }
            passed = min(passed + Self.stride, duration)
            // Another task may have to end this one.
            await Task.yield()
            try Task.checkCancellation()
        }
        return Result(
            devices: zip(planned, transcripts).map { FleetReport.Device($0.identity, $1) },
            traces: traces.all, invariants: home.invariants)
    }

    private func moment(_ passed: Duration) -> DeviceMoment {
        let world = epoch.advanced(by: passed)
        return DeviceMoment(wire: world, world: world, monotonic: passed)
    }

    private func start(_ planned: PlannedDevice) throws(FleetError) -> SimulatedDevice {
        do {
            return try SimulatedDevice(
                identity: planned.identity, seed: planned.seed, homeSeed: planned.homeSeed,
                regionSeed: planned.regionSeed,
                boot: BootCount(count: 1, since: epoch).id, telemetryInterval: telemetryInterval,
                tellingWhatItMakes: true, wearing: planned.wears, at: moment(.zero))
        } catch { throw FleetError(.internal, "\(planned.key): \(error)") }
    }
}

extension FleetPlan {
    /// The devices of each home.
    var homes: [ArraySlice<PlannedDevice>] {
        var homes: [ArraySlice<PlannedDevice>] = []
        var rest = devices[...]
        while let home = rest.first?.identity.home {
            let members = rest.prefix { $0.identity.home == home }
            homes.append(members)
            rest = rest.dropFirst(members.count)
        }
        return homes
    }
}
