package import DeviceDomain
import DeviceSimulation

/// A run without a broker: the world goes on as fast as the machine allows.
package struct VirtualRun: Sendable {
    private let plan: FleetPlan
    private let seed: UInt64
    private let telemetryInterval: Duration
    private let epoch: Timestamp
    private let duration: Duration
    private let script: FleetScript
    private let report: @Sendable (FleetNotice) -> Void

    /// - Parameters:
    ///   - duration: how far the world goes.
    ///   - script: what happens to the devices. Commands go straight to them; that devices come and go is left out:
    ///     there is nothing that they could connect to.
    ///   - report: is called with events for the user, from several threads.
    package init(
        of plan: FleetPlan, seed: UInt64, telemetryInterval: Duration, epoch: Timestamp,
        duration: Duration, script: FleetScript = FleetScript(),
        report: @escaping @Sendable (FleetNotice) -> Void = { _ in }
    ) {
        self.plan = plan
        self.seed = seed
        self.telemetryInterval = telemetryInterval
        self.epoch = epoch
        self.duration = duration
        self.script = script
        self.report = report
    }

    /// What a run came to.
    package struct Outcome: Sendable {
        /// Its report, without assertions.
        package var report: FleetReport
        /// The commands of the script.
        package var commands = CommandLog()
        /// How often invariants had not held at each checkpoint of the script.
        package var violations: [Int]
    }

    /// Runs all homes.
    /// - Throws: ``FleetError``.
    package func run() async throws -> FleetReport { try await outcome().report }

    /// Runs all homes, as many at a time as the machine has processors.
    /// - Throws: ``FleetError``.
    package func outcome() async throws -> Outcome {
        let begin = ContinuousClock.now
        let homes = plan.homes
        let results = try await withThrowingTaskGroup(of: (Int, VirtualHome.Result).self) { group in
            var results: [Int: VirtualHome.Result] = [:]
            for (index, home) in homes.enumerated() {
                // All homes are alike enough: the ways of the first one's robots are drawn.
                group.addTask { (index, try await simulate(home, isTraced: index == 0)) }
            }
            for try await (index, made) in group { results[index] = made }
            return homes.indices.compactMap { results[$0] }
        }
        var outcome = Outcome(
            report: FleetReport(
                seed: seed, epoch: epoch, world: duration, wall: begin.duration(to: .now)),
            violations: script.checkpoints.map { _ in 0 })
        for result in results { outcome.add(result) }
        outcome.report.traces = outcome.report.traces.chosen()
        outcome.report.arrange(as: plan)
        return outcome
    }

    private func simulate(
        _ planned: ArraySlice<PlannedDevice>, isTraced: Bool
    ) async throws -> VirtualHome.Result {
        let own = script.part(of: Set(planned.map(\.key)))
        var home = try VirtualHome(
            planned, telemetryInterval: telemetryInterval, epoch: epoch, script: own,
            isTraced: isTraced)
        return try await home.run(for: duration, report: report)
    }
}

extension VirtualRun.Outcome {
    fileprivate mutating func add(_ home: VirtualHome.Result) {
        report.devices += home.devices
        report.traces += home.traces
        report.invariants.add(home.invariants)
        report.commands.merge(home.commands.tally)
        report.faults += home.faults
        commands.add(home.commands)
        violations = zip(violations, home.violations).map(+)
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
