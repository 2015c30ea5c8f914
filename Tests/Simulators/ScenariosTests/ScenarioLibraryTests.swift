import DeviceDomain
import DeviceSimulation
import Fleet
import Testing

@testable import Scenarios

/// The scenarios that come with the simulator.
@Suite(.timeLimit(.minutes(5))) struct ScenarioLibraryTests {
    /// The files.
    static let names = [
        "quiet-day.yaml", "evening-peak.yaml", "reconnect-storm.yaml", "broker-restart.yaml",
        "flaky-wifi.yaml", "doubled-acks.yaml", "street-outage.yaml", "churn.yaml",
        "field-sleeping-device.yaml", "field-silent-device.yaml", "field-slow-answers.yaml",
        "field-small-mistakes.yaml",
    ]

    static func path(_ name: String) -> String {
        let folders = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return "/\(folders)/simulators/scenarios/\(name)"
    }

    @Test(arguments: names)
    func everyOneIsRight(name: String) throws {
        let scenario = try Scenario(path: Self.path(name))
        #expect(scenario.name != nil && scenario.seed != nil)
        #expect(!scenario.assertions.isEmpty)
    }

    /// What has faults of the connection needs a broker, and is refused without one.
    private static let needingBroker = ["flaky-wifi.yaml"]

    @Test(arguments: needingBroker)
    func whatNeedsABrokerIsRefusedWithoutOne(name: String) {
        let error = #expect(throws: ScenarioProblems.self) {
            try Scenario(path: Self.path(name), at: .max)
        }
        #expect(error?.lines.count == 2, "\(error?.lines ?? [])")
    }

    /// The first minutes of each without a broker and without what needs one: commands run once, and no invariant is
    /// hurt.
    @Test(arguments: names)
    func everyOneRunsWithoutABroker(name: String) async throws {
        var scenario = try Scenario(path: Self.path(name))
        scenario.faults.removeAll { $0.order.name?.actsOnNetwork == true }
        scenario.homes = min(scenario.homes, 2)
        let duration = min(scenario.duration ?? .zero, .seconds(360))
        let seed = scenario.seed ?? 1
        let fleet = FleetPlan(
            homes: .numbered(scenario.homes), groups: scenario.groups, seed: seed)
        let plan = ScenarioPlan(scenario, for: fleet, seed: seed, duration: duration)
        let outcome = try await VirtualRun(
            of: fleet, seed: seed, telemetryInterval: .seconds(30),
            epoch: scenario.epoch ?? Timestamp(milliseconds: 1_782_036_000_000),
            duration: duration, script: plan.script
        ).outcome()
        let figures = outcome.commands.figures(
            of: Set(fleet.devices.map(\.key)), meantWithin: .zero...duration, upTo: duration)
        #expect(figures.sent == plan.script.commands.count)
        #expect(figures.executions <= 1)
        let keys = Set(fleet.devices.map(\.key))
        for (index, assertion) in scenario.assertions.enumerated()
        where !assertion.metric.needsBroker && scenario.duration == duration {
            let found = assertion.outcome(of: plan.measure(index, of: keys, in: outcome))
            #expect(found.passed, "\(found.text)")
        }
        #expect(outcome.violations.allSatisfy { $0 == 0 })
    }
}

/// Scenarios without a broker.
@Suite struct VirtualScenarioTests {
    private func outcome(
        of items: String, lasting duration: Duration = .seconds(600)
    ) async throws -> (plan: ScenarioPlan, outcome: VirtualRun.Outcome) {
        let scenario = try Scenario(
            """
            duration: 10m
            homes: 2
            devices: {vacuums: {kind: sweeping-robot, count: 2}, batteries: {kind: energy-store, count: 1}}
            \(items)
            """, path: "x.yaml")
        let fleet = FleetPlan(homes: .numbered(2), groups: scenario.groups, seed: 1)
        let plan = ScenarioPlan(scenario, for: fleet, seed: 1, duration: duration)
        let outcome = try await VirtualRun(
            of: fleet, seed: 1, telemetryInterval: .seconds(10),
            epoch: Timestamp(milliseconds: 1_782_036_000_000), duration: duration,
            script: plan.script
        ).outcome()
        return (plan, outcome)
    }

    private func figures(
        _ run: (plan: ScenarioPlan, outcome: VirtualRun.Outcome),
        upTo time: Duration = .seconds(600)
    ) -> CommandFigures {
        run.outcome.commands.figures(
            of: Set(run.plan.fleet.devices.map(\.key)), meantWithin: .zero ... .seconds(600),
            upTo: time)
    }

    @Test func commandsAreFollowedToTheirFinalAcks() async throws {
        let run = try await outcome(
            of: """
                commands:
                  - {at: 1m, to: vacuums, name: set-suction-level, arguments: {level: max}}
                  - {at: 2m, to: vacuums, name: start-cleaning}
                """)
        let figures = figures(run)
        #expect(figures.sent == 8 && figures.executions == 1 && figures.repeatedAcks == 0)
        #expect(figures.open == 4, "a cleaning takes longer")
        #expect(figures.latency.total == 4 && figures.latency.largest == 0)
        #expect(self.figures(run, upTo: .seconds(59)).open == 8)
    }

    @Test func lateAcksTakeAsLongAsTheyAreLate() async throws {
        let run = try await outcome(
            of: """
                commands: [{at: 1m, every: 20s, until: 3m, to: vacuums, name: locate}]
                faults: [{fault: slow, on: vacuums, at: 30s, set: {delayMs: 7000}}]
                """)
        let figures = figures(run)
        #expect(figures.open == 0 && figures.sent == 28)
        #expect((7000...7100).contains(figures.latency.quantile(0.5)), "\(figures.latency)")
    }

    @Test func whoeverIsOfflineGetsItsCommandsWhenItIsBack() async throws {
        let run = try await outcome(
            of: """
                commands: [{at: 1m10s, to: vacuums, name: set-suction-level, arguments: {level: max}}]
                faults: [{fault: offline, on: vacuums, at: 1m, for: 25s}]
                """)
        #expect(figures(run, upTo: .seconds(80)).open == 4)
        #expect(figures(run).open == 0 && figures(run).executions == 1)
        #expect((15_000...15_200).contains(figures(run).latency.quantile(0.5)))
    }

    @Test func whatExpiresMeanwhileStaysOpen() async throws {
        let run = try await outcome(
            of: """
                commands: [{at: 1m10s, to: vacuums, name: set-suction-level, arguments: {level: max}}]
                faults: [{fault: offline, on: vacuums, at: 1m, for: 2m}]
                """)
        #expect(figures(run).open == 4 && figures(run).executions == 0)
        let report = run.outcome.report
        #expect(report.commandsSent == 4 && report.commandEnds.last?.count == 4)
    }

    /// What the report says of commands is what assertions find, whatever devices and their faults did.
    @Test func theReportCountsTheCommandsOfTheAssertions() async throws {
        let run = try await outcome(
            of: """
                commands: [{at: 1m, every: 20s, to: all, name: identify}]
                faults:
                  - {fault: offline, on: batteries, at: 2m, for: 3m}
                  - {fault: drop-acks, on: vacuums, at: 4m, for: 2m}
                  - {fault: mute, on: vacuums-1, at: 8m}
                """)
        let (figures, report) = (figures(run), run.outcome.report)
        let ends = Dictionary(uniqueKeysWithValues: report.commandEnds.map { ($0.name, $0.count) })
        #expect(figures.open > 20, "\(figures)")
        #expect(report.commandsSent == figures.sent && ends["open"] == figures.open)
        #expect(figures.sent == run.plan.script.commands.count)
        #expect(report.commands.latency == figures.latency)
    }

    @Test func aRebootEndsWhatRuns() async throws {
        let run = try await outcome(
            of: """
                commands: [{at: 1m, to: vacuums, name: start-cleaning}]
                faults: [{fault: reboot, on: vacuums, at: 2m}]
                """)
        #expect(figures(run).open == 0 && figures(run).executions == 1)
        #expect((60_000...60_500).contains(figures(run).latency.quantile(0.5)))
    }

    /// What happens to a device has no part in what it says otherwise, and comes at the same instants in every run.
    @Test func twoRunsOfOneScenarioSayTheSame() async throws {
        let items = """
            commands: [{at: 1m, every: 1m, jitter: 20s, to: vacuums, name: set-suction-level, arguments: {level: max}}]
            faults: [{fault: offline, on: all, rate: 20, for: 30s}, {fault: stuck, on: vacuums, share: 0.5, at: 3m}]
            """
        let (one, other) = (try await outcome(of: items), try await outcome(of: items))
        #expect(one.outcome.report.devices.map(\.hash) == other.outcome.report.devices.map(\.hash))
        let quiet = try await outcome(of: "")
        #expect(one.outcome.report.devices.map(\.hash) != quiet.outcome.report.devices.map(\.hash))
    }

    @Test func devicesDrawGivenNumbers() async throws {
        func hashes(_ parameters: String) async throws -> [String] {
            let scenario = try Scenario(
                "duration: 1m\ndevices: {s: {kind: energy-store, count: 2\(parameters)}, "
                    + "p: {kind: pool-robot, count: 1\(parameters.isEmpty ? "" : ", parameters: {basin.length: 8}")}}",
                path: "x.yaml")
            let fleet = FleetPlan(homes: .numbered(1), groups: scenario.groups, seed: 1)
            return try await VirtualRun(
                of: fleet, seed: 1, telemetryInterval: .seconds(10),
                epoch: Timestamp(milliseconds: 1_782_036_000_000), duration: .seconds(60)
            ).run().devices.map(\.hash)
        }
        let (usual, given) = (
            try await hashes(""), try await hashes(", parameters: {firstCharge: [0.4, 0.41]}")
        )
        #expect(usual.prefix(2).allSatisfy { !given.contains($0) })
    }
}
