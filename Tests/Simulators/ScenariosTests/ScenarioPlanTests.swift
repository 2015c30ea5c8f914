import DeviceDomain
import DeviceSimulation
import Fleet
import Testing

@testable import Scenarios

/// Planning scenarios.
@Suite struct ScenarioPlanTests {
    private func scenario(_ items: String, homes: Int = 4) throws -> Scenario {
        try Scenario(
            """
            duration: 1h
            homes: \(homes)
            devices:
              vacuums: {kind: sweeping-robot, count: 2, access-point: hall}
              batteries: {kind: energy-store, count: 1, feeder: elm}
            \(items)
            """, path: "x.yaml")
    }

    private func fleet(_ scenario: Scenario, seed: UInt64 = 1) -> FleetPlan {
        FleetPlan(homes: .numbered(scenario.homes), groups: scenario.groups, seed: seed)
    }

    private func plan(_ scenario: Scenario, seed: UInt64 = 1) -> ScenarioPlan {
        ScenarioPlan(
            scenario, for: fleet(scenario, seed: seed), seed: seed, duration: scenario.duration)
    }

    @Test(arguments: [
        ("all", 12), ("vacuums", 8), ("sweeping-robot", 8), ("sweepers", 8), ("home-2", 3),
        ("home-2/all", 3), ("home-2/vacuums-1", 1), ("vacuums-1", 4), ("access-point:hall", 8),
        ("feeder:elm", 4), ("feeder:oak", 0), ("vacuum", 0),
    ])
    func targetsMeanDevices(target: String, count: Int) throws {
        let fleet = fleet(try scenario(""))
        #expect(fleet.devices(inScenario: target).count == count)
    }

    @Test func aCommandIsSentToEachDeviceAtItsOwnTime() throws {
        let scenario = try scenario(
            "commands: [{at: 10m, every: 10m, until: 30m, jitter: 1m, to: vacuums, name: locate}]")
        let commands = plan(scenario).script.commands
        #expect(commands.count == 8 * 3)
        for (index, command) in commands.enumerated() {
            let base = Duration.seconds(600 * (index / 8 + 1))
            #expect((base...(base + .seconds(60))).contains(command.at))
        }
        #expect(Set(commands.map(\.at)).count > 12, "each device draws its own")
        #expect(Set(commands.map(\.seed)).count == commands.count)
        #expect(commands.map(\.at) == commands.map(\.at).sorted())
    }

    @Test func urgentCommandsTakeTheirLane() throws {
        let scenario = try scenario(
            """
            commands:
              - {at: 1m, to: vacuums, name: pause}
              - {at: 2m, to: vacuums, name: pause, lane: normal}
              - {at: 3m, to: vacuums, name: locate}
            """)
        let lanes = plan(scenario).script.commands.map(\.lane)
        #expect(lanes.prefix(8).allSatisfy { $0 == .urgent })
        #expect(lanes.dropFirst(8).allSatisfy { $0 == .normal })
    }

    /// Who makes the plan, and for how many, changes nothing for a device.
    @Test func thePartsOfAPlanAreThePlanOfTheWhole() throws {
        let scenario = try scenario(
            """
            commands: [{at: 1m, every: 2m, jitter: 1m, to: all, name: identify}]
            faults:
              - {fault: offline, on: all, rate: 4, for: 1m}
              - {fault: slow, on: vacuums, share: 0.5, at: 5m}
            stages: [{name: a, for: 30m, connect: {within: 20m}, disconnect: {per-second: 0.1}}]
            """)
        let script = plan(scenario).script
        var entries: [FleetScript.Entry] = []
        var commands: [ScriptedCommand] = []
        for part in FleetHomes.numbered(4).shared(among: 3) {
            let keys = Set(
                FleetPlan(homes: part, groups: scenario.groups, seed: 1).devices.map(\.key))
            entries += script.part(of: keys).entries
            commands += script.part(of: keys).commands
        }
        #expect(entries.count == script.entries.count && Set(entries) == Set(script.entries))
        #expect(commands.count == script.commands.count && Set(commands) == Set(script.commands))
        #expect(plan(scenario).script.entries == script.entries, "the same every time")
        #expect(plan(scenario, seed: 2).script.entries != script.entries)
    }

    @Test func aShareTakesThatPartOfTheDevices() throws {
        let scenario = try scenario("faults: [{fault: slow, on: vacuums, share: 0.25, at: 5m}]")
        let chosen = plan(scenario).script.entries.map(\.device)
        #expect(chosen.count == 2 && Set(chosen).count == 2)
        #expect(Set(plan(scenario, seed: 3).script.entries.map(\.device)) != Set(chosen))
    }

    @Test func randomFaultsComeAsOftenAsTheirRateSays() throws {
        let scenario = try scenario("faults: [{fault: reboot, on: all, rate: 30}]", homes: 20)
        let times = plan(scenario).script.entries.map(\.at)
        // 60 devices for an hour: 1800 on average; six standard deviations are 255.
        #expect((1545...2055).contains(times.count))
        #expect(times.allSatisfy { $0 >= .zero && $0 <= .seconds(3600) })
    }

    @Test func logarithmsAreRight() {
        for (x, expected) in [(1.0, 0.0), (2, 0.6931471805599453), (0.001, -6.907755278982137)] {
            #expect(abs(x.naturalLogarithm - expected) < 1e-14)
        }
    }

    // MARK: Stages

    private func arrivals(_ stages: String) throws -> [(at: Double, arrives: Bool)] {
        let scenario = try scenario("stages: [\(stages)]")
        return plan(scenario).script.entries.map { ($0.at.seconds, $0.event == .arrive) }
    }

    @Test func withinSpreadsAllDevicesOverTheTime() throws {
        let steps = try arrivals("{name: a, for: 5m, connect: {within: 2m}}")
        #expect(steps.map(\.at) == (0..<12).map { Double($0) * 10 })
        #expect(steps.allSatisfy { $0.arrives })
    }

    @Test func perSecondGoesOnAsLongAsThereAreDevices() throws {
        let steps = try arrivals("{name: a, for: 5m, connect: {per-second: 0.5}}")
        #expect(steps.map(\.at) == (0..<12).map { Double($0) * 2 })
    }

    @Test func devicesThatNoStageLetsComeAreThereFromTheStart() throws {
        let scenario = try scenario("stages: [{name: a, for: 5m, disconnect: {within: 1m}}]")
        let script = plan(scenario).script
        #expect(!script.waitsForArrivals && script.entries.count == 12)
        #expect(script.entries.allSatisfy { $0.event == .depart })
    }

    @Test func aStormEndsWithEveryDeviceBack() throws {
        let steps = try arrivals(
            """
            {name: a, for: 1m, connect: {within: 10s}},
            {name: storm, for: 1m, disconnect: {within: 1s}, connect: {within: 20s}}
            """)
        #expect(steps.count == 36)
        #expect(steps.filter { $0.arrives }.count == 24)
        #expect(steps.last?.arrives == true)
    }

    @Test func inAChurnWhoeverLeftFirstComesBackFirst() throws {
        let scenario = try scenario(
            """
            stages:
              - {name: a, for: 1m, connect: {within: 10s}}
              - {name: churn, for: 5m, connect: {per-second: 0.1}, disconnect: {per-second: 0.1}}
            """)
        let entries = plan(scenario).script.entries.filter { $0.at >= .seconds(60) }
        #expect(entries.filter { $0.event == .arrive }.count == 30)
        var away: [DeviceKey] = []
        for (time, batch) in Dictionary(grouping: entries, by: \.at).sorted(by: { $0.key < $1.key })
        {
            for entry in batch where entry.event == .depart { away.append(entry.device) }
            for entry in batch where entry.event == .arrive {
                #expect(away.first == entry.device, "at \(time)")
                if !away.isEmpty { away.removeFirst() }
            }
        }
    }
}

/// Assertions over what was measured.
@Suite struct AssertionTests {
    private func assertion(_ metric: Metric, least: Double? = nil, most: Double? = nil)
        -> Scenario.Assertion
    {
        Scenario.Assertion(
            name: "a", metric: metric, target: nil, at: nil, from: nil, to: nil, least: least,
            most: most)
    }

    @Test func aShareIsOfTheDevicesThatAreThere() {
        var measured = Measurement()
        (measured.devices, measured.right) = (10, 9)
        let outcome = assertion(.onlineShare, least: 0.95).outcome(of: measured)
        #expect(!outcome.passed && outcome.found == 0.9)
        #expect(outcome.text.contains("online-share of all at the end: at least 0.95; found 0.9"))
        #expect(assertion(.onlineShare, least: 0.9).outcome(of: measured).passed)
    }

    @Test func ofAWindowTheWorstCounts() {
        var measured = Measurement()
        measured.ticks = [
            3: .init(present: 10, online: 10, connects: 10),
            4: .init(present: 10, online: 5, connects: 10),
            5: .init(present: 10, online: 10, connects: 17),
        ]
        var share = assertion(.onlineShare, least: 0.6)
        share.from = .seconds(3)
        #expect(share.outcome(of: measured).found == 0.5)
        share.least = 0.5
        #expect(share.outcome(of: measured).passed)
        let rate = assertion(.connectRate, most: 6).outcome(of: measured)
        #expect(!rate.passed && rate.found == 7)
    }

    /// Seconds of which a process has not told yet are no outage.
    @Test func secondsThatOnlySomeProcessesToldAreLeftOut() {
        var measured = Measurement()
        measured.ticks = [
            1: .init(present: 5, online: 5, connects: 5),
            2: .init(present: 5, online: 0, connects: 5),
        ]
        var other = Measurement()
        other.ticks = [1: .init(present: 5, online: 5, connects: 5)]
        measured.add(other)
        var share = assertion(.onlineShare, least: 1)
        share.from = .zero
        #expect(share.outcome(of: measured).passed)
    }

    @Test func whatWasNotMeasuredDoesNotHold() {
        #expect(!assertion(.commandP99, most: 10).outcome(of: Measurement()).passed)
        #expect(assertion(.commandP99, most: 10).outcome(of: Measurement()).found == nil)
        let outcome = assertion(.openCommands, most: 10).outcome(of: nil)
        #expect(!outcome.passed && outcome.text.contains("the run ended before that"))
        #expect(assertion(.openCommands, most: 0).outcome(of: Measurement()).passed)
    }

    @Test func measurementsOfProcessesAddUpAndCrossALine() {
        var one = Measurement()
        (one.devices, one.right, one.count) = (3, 2, 5)
        one.example = DeviceKey(home: .literal("home-1"), device: .literal("a-1"))
        one.ticks = [7: .init(present: 3, online: 2, connects: 4)]
        one.commands.sent = 4
        one.commands.latency.add(milliseconds: 30)
        let other = Measurement(one.members)
        #expect(other == one)
        one.add(other)
        #expect(one.devices == 6 && one.right == 4 && one.count == 10 && one.commands.sent == 8)
        #expect(one.ticks[7] == .init(present: 6, online: 4, connects: 8, parts: 2))
    }

    @Test func gapsInTheNumbersOfSamplesAreLost() {
        var gaps = SampleGaps()
        let key = DeviceKey(home: .literal("home-1"), device: .literal("a-1"))
        let (first, second) = (BootID.literal("b1"), BootID.literal("b2"))
        for number in [3, 4, 7, 8, 5] { gaps.note(number, of: first, key) }
        #expect(gaps.lost(of: [key]).count == 1)
        gaps.note(1, of: second, key)
        gaps.note(4, of: second, key)
        #expect(gaps.lost(of: [key]).count == 3)
        #expect(gaps.lost(of: [key]).first == key && gaps.lost(of: []).count == 0)
        gaps.note(90_000, of: second, key)
        #expect(gaps.lost(of: [key]).count == 3 + 89_995)
    }
}
