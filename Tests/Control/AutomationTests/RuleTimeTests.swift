import DeviceControl
import DeviceDomain
import Testing

@testable import Automation

/// Rules of times of day, daylight saving included.
@Suite struct RuleTimeTests {
    private let robot = DeviceID.literal("sweeper-1")
    /// Central Europe in 2025: UTC+1, and UTC+2 from 2025-03-30T01:00Z to 2025-10-26T01:00Z.
    private let berlin = LocalCalendar { moment in
        (1_743_296_400_000..<1_761_440_400_000).contains(moment.milliseconds) ? 7_200 : 3_600
    }

    /// From a moment on, a day and a half, and the runs in it (UTC).
    @Test(arguments: [
        ("08:30", "2025-01-15T00:00Z", ["2025-01-15T07:30Z", "2025-01-16T07:30Z"]),
        ("08:30", "2025-07-15T00:00Z", ["2025-07-15T06:30Z", "2025-07-16T06:30Z"]),
        // Skipped when clocks are put forward: at that moment.
        ("02:30", "2025-03-30T00:00Z", ["2025-03-30T01:00Z", "2025-03-31T00:30Z"]),
        // Shown twice when they are put back: the first time only.
        ("02:30", "2025-10-26T00:00Z", ["2025-10-26T00:30Z", "2025-10-27T01:30Z"]),
        ("00:00", "2025-12-31T12:00Z", ["2025-12-31T23:00Z", "2026-01-01T23:00Z"]),
    ])
    func itRunsByTheClockOnTheWall(time: String, start: String, expected: [String]) throws {
        var bench = try bench(RulePlan("at=\(time)"), at: start)
        var ran: [Timestamp] = []
        for _ in 0..<(36 * 4) { ran += bench.pass(.seconds(900)).runs.map(\.at) }
        #expect(ran == expected.compactMap { Timestamp($0) })
    }

    @Test func itRunsForTheDevicesThatItIsAboutAndMeetTheCondition() throws {
        var bench = try bench(
            RulePlan(
                "at=08:30", scope: .kind(.sweepingRobot), if: ["batteryPercent>50"],
                do: [.send(RuleCommand("start-cleaning"))]), at: "2025-01-15T00:00Z")
        for (number, charge) in [(1, 80.0), (2, 20), (3, 90)] {
            let device = try DeviceID("sweeper-\(number)")
            try bench.announce("sweeper-s1", as: device)
            _ = bench.sample(.batteryPercent, charge, from: device)
        }
        try bench.announce("store-e10", as: .literal("store-1"))
        let run = try #require(bench.pass(.seconds(7 * 3_600 + 1_800)).runs.first)
        #expect(run.device == nil)
        #expect(run.targets.map(\.text) == ["sweeper-1", "sweeper-3"])
        #expect(run.cause == "it was 08:30")
    }

    @Test func withoutADeviceThatMeetsTheConditionNothingRuns() throws {
        var bench = try bench(
            RulePlan("at=08:30", scope: .kind(.sweepingRobot), if: ["batteryPercent>50"]),
            at: "2025-01-15T00:00Z")
        #expect(bench.pass(.seconds(8 * 3_600)).isEmpty)
    }

    @Test func aTimeThatIsLongOverIsNotMadeUpFor() throws {
        var bench = try bench(RulePlan("at=08:30"), at: "2025-01-15T00:00Z")
        // The machine slept.
        #expect(bench.pass(.seconds(7 * 3_600 + 1_800 + 301)).isEmpty)
        #expect(bench.pass(.seconds(86_400 - 301)).runs.count == 1)
    }

    @Test func aTimeThatWasShortlyBeforeARestartRuns() throws {
        var bench = try bench(RulePlan("at=08:30"), at: "2025-01-15T00:00Z")
        bench.now.wall = try #require(Timestamp("2025-01-15T07:34Z"))
        bench.restart(remembering: [:], in: berlin)
        let run = try #require(bench.pass(.zero).runs.first)
        // The ledger takes it only where nobody has taken it before.
        let due = try #require(Timestamp("2025-01-15T07:30Z"))
        #expect(run.occasion == "at:\(due.milliseconds)")
    }

    @Test func aTimeBeforeTheRuleWasAddedDoesNotCount() throws {
        var bench = try bench(RulePlan("at=08:30"), at: "2025-01-15T07:31Z")
        #expect(bench.pass(.seconds(60)).isEmpty)
    }

    @Test func sunsetRunsAtItsPlace() throws {
        // Berlin, 2025-06-21: sunset at 21:33 by its clocks.
        var bench = try bench(
            RulePlan("sunset"), at: "2025-06-21T00:00Z",
            GeographicPlace(latitude: 52.52, longitude: 13.405))
        #expect(bench.pass(.seconds(19 * 3_600 + 31 * 60)).isEmpty)
        let run = try #require(bench.pass(.seconds(4 * 60)).runs.first)
        #expect(run.cause.hasPrefix("sunset at 21:3"))
    }

    @Test func withoutAPlaceTheSunLetsNothingRun() throws {
        var bench = try bench(RulePlan("sunset"), at: "2025-06-21T00:00Z")
        #expect(bench.engine.nextLook(after: bench.now) == nil)
        #expect(bench.pass(.seconds(86_400)).isEmpty)
    }

    private func bench(
        _ plan: RulePlan, at start: String, _ place: GeographicPlace? = nil
    ) throws -> RuleBench {
        var bench = RuleBench(plan, in: berlin, at: place)
        bench.now.wall = try #require(Timestamp(start))
        bench.engine = RuleEngine(
            [Rule(id: RuleID(number: 1), plan: plan, since: bench.now.wall)], in: berlin, at: place,
            from: bench.now)
        return bench
    }
}
