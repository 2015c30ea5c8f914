import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// When devices sample their telemetry.
@Suite struct SamplingTests {
    @Test(arguments: ["sweeper-s1", "pool-c1", "store-e5"])
    func phaseIsThatOfTheWorldClockInEveryBoot(_ model: String) throws {
        var phases: Set<Int> = []
        var bench = try DeviceBench(model)
        for pause in [0, 1234, 777, 61_003] {
            bench.clock.pass(.milliseconds(pause))
            if pause > 0 { try bench.restart() }
            bench.log = []
            bench.pass(.seconds(21))
            #expect(bench.log.samples.count >= 4)
            phases.formUnion(bench.log.samples.map { $0.at.milliseconds % 5000 })
        }
        #expect(phases.count == 1, "\(phases)")
    }

    /// A wall clock that differs from the world's moves no sample.
    @Test func phaseDoesNotDependOnTheWallClock() throws {
        var benches = [try DeviceBench("sweeper-s1"), try DeviceBench("sweeper-s1")]
        benches[1].clock.wire = benches[1].clock.wire.advanced(by: .milliseconds(3_600_123))
        for index in benches.indices { benches[index].pass(.seconds(30)) }
        let times = benches.map { $0.log.samples.map(\.at) }
        #expect(times[0] == times[1] && times[0].count == 6)
    }

    @Test func aDeviceThatIsWokenLateSamplesTheInstantThatHasPassed() throws {
        var bench = try DeviceBench("store-e5")
        bench.pass(.seconds(10))
        let last = try #require(bench.log.samples.last)
        bench.clock.pass(.milliseconds(4300))
        let late = bench.give(.wake).samples
        #expect(late.map(\.at) == [last.at.advanced(by: .seconds(5))])
        #expect(late.first?.n == last.n + 1)
    }

    /// Samples of a time without a connection are lost, and the gap shows it (PROTOCOL section 2).
    @Test func samplesTakenOfflineAreCounted() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.pass(.seconds(10))
        bench.give(.disconnected)
        bench.pass(.seconds(15))
        bench.give(.connected)
        bench.pass(.seconds(5))
        #expect(bench.log.samples.map(\.n) == [1, 2, 6])
    }

    /// A device that keeps its samples sends them late, in order and before new ones, each as it was taken.
    @Test func keptSamplesFollowTheAnnouncement() throws {
        var bench = try DeviceBench("sweeper-s1", keepingSamples: true)
        bench.pass(.seconds(10))
        let last = try #require(bench.log.samples.last)
        bench.give(.disconnected)
        #expect(bench.pass(.seconds(15)).samples.isEmpty)
        let back = bench.give(.connected)
        #expect(back.samples.map(\.n) == [3, 4, 5])
        #expect(back.samples.map(\.at) == [5, 10, 15].map { last.at.advanced(by: .seconds($0)) })
        guard case .telemetry(let newest)? = back.published.last else {
            Issue.record("samples come last")
            return
        }
        #expect(newest.hasWaited && back.presences.count == 1)
        #expect(bench.pass(.seconds(5)).samples.map(\.n) == [6])
        #expect(bench.give(.connected).samples.isEmpty, "each goes out once")
    }

    @Test func theNewestSamplesAreKept() throws {
        var bench = try DeviceBench("store-e5", telemetryEvery: .seconds(1), keepingSamples: true)
        bench.give(.disconnected)
        let actions = bench.pass(.seconds(800))
        #expect(actions.count { $0 == .count(.droppedSample) } == 80)
        let kept = bench.give(.connected).samples
        #expect(kept.map(\.n) == Array(81...800))
    }

    /// What was made does not depend on what became of it.
    @Test func keptSamplesAreMadeOnce() throws {
        var bench = try DeviceBench("store-e5", tellingWhatItMakes: true, keepingSamples: true)
        bench.give(.disconnected)
        let made = bench.pass(.seconds(20)).count { action in
            if case .made(.telemetry) = action { true } else { false }
        }
        #expect(made == 4)
        let back = bench.give(.connected)
        #expect(back.samples.count == 4)
        #expect(!back.contains { if case .made(.telemetry) = $0 { true } else { false } })
    }

    /// A process that was stopped makes up for its samples, each with its own stamp (PROTOCOL section 2).
    @Test func samplesOfAStoppedProcessFollow() throws {
        var bench = try DeviceBench("sweeper-s1", telemetryEvery: .seconds(1))
        bench.pass(.seconds(10))
        let last = try #require(bench.log.samples.last)
        bench.clock.pass(.seconds(7))
        let late = bench.give(.wake).samples
        #expect(late.map(\.n) == (1...7).map { last.n + $0 })
        #expect(late.map(\.at) == (1...7).map { last.at.advanced(by: .seconds($0)) })
    }

    /// Of a longer stop the last 60 samples; those that are left out are counted.
    @Test(arguments: [100, 5000])
    func samplesThatAreTooLateAreLeftOut(seconds: Int) throws {
        var bench = try DeviceBench("store-e5", telemetryEvery: .seconds(1))
        bench.pass(.seconds(10))
        let last = try #require(bench.log.samples.last)
        bench.clock.pass(.seconds(seconds))
        let late = bench.give(.wake).samples
        #expect(late.map(\.n) == (seconds - 59...seconds).map { last.n + $0 })
    }

    @Test func aLongIntervalLosesNoTimeOfTheWorld() throws {
        var bench = try DeviceBench("store-e5", telemetryEvery: .seconds(6 * 3600))
        bench.give(try Order("set-mode", ["mode": "backup"]))
        bench.pass(.seconds(12 * 3600))
        let samples = bench.log.samples
        #expect(samples.count == 2)
        let charge = try #require(samples.last?.values["stateOfChargePercent"]?.number)
        #expect(charge > 98, "full, or within the hysteresis")
    }
}
