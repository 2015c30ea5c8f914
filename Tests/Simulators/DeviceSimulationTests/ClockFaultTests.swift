import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Wrong clocks, as the messages of a device show them.
@Suite struct ClockFaultTests {
    @Test(arguments: [600_000, -600_000])
    func anOffsetIsInEveryStampAndNowhereElse(offset: Int) throws {
        var bench = try DeviceBench("sweeper-s1")
        let wrong = Duration.milliseconds(offset)
        try bench.inject(.clockOffset, ["offsetMs": .integer(offset)])
        #expect(bench.log.presences.last?.report.at == bench.clock.wire.advanced(by: wrong))
        let order = try Order("set-suction-level", ["level": "max"], at: bench.clock.wire)
        let actions = bench.give(order)
        // By its true clock the command has not expired.
        #expect(actions.verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(actions.acks.allSatisfy { $0.at == bench.clock.wire.advanced(by: wrong) })
        #expect(actions.states.map(\.at) == [bench.clock.world.advanced(by: wrong)])
        let again = bench.give(order).acks
        #expect(again.map(\.at) == [actions.acks[1].at], "a replay keeps its stamp")
        let before = bench.clock.world
        let sample = try #require(bench.pass(.seconds(10)).samples.first)
        #expect(sample.at > before.advanced(by: wrong))
        #expect(sample.at <= bench.clock.world.advanced(by: wrong))
        let key = CommandKey(controller: order.message.controller, id: order.id)
        #expect(bench.journal.entries[key]?.ack.at == order.message.issuedAt, "the record is right")
        let told = bench.give(.clear(.clockOffset))
        #expect(told.presences.map(\.report.at) == [bench.clock.wire])
    }

    @Test func aStampIsNeverBeforeTheEpoch() throws {
        let start = Timestamp(milliseconds: 5000)
        var faults = ActiveFaults.none
        faults.insert(
            try Fault(.clockOffset, setting: ["offsetMs": -10_000]), until: nil,
            at: BenchClock().now)
        #expect(ClockFaults.shown(start, on: .wire, faults).milliseconds == 0)
    }

    @Test func aDriftGrowsWithTheTime() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.clockDrift, ["ppm": 100_000])
        bench.log = []
        bench.pass(.seconds(100))
        let stamps = bench.log.samples.map(\.at)
        let steps = zip(stamps, stamps.dropFirst()).map { $1.since($0).wholeMilliseconds }
        #expect(steps.count > 15 && steps.allSatisfy { (5499...5501).contains($0) }, "\(steps)")
        let ack = try #require(bench.give(try Order("identify", at: bench.clock.wire)).acks.first)
        #expect(ack.at == bench.clock.wire.advanced(by: .seconds(10)))
    }

    @Test func aStepJumpsForthAndBack() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.clockStep, ["stepMs": 30_000, "everySeconds": 20])
        bench.log = []
        let start = bench.clock.world
        bench.pass(.seconds(60))
        let stamps = bench.log.samples.map(\.at)
        let errors = stamps.enumerated().map { place, at in
            at.since(start).wholeMilliseconds - place * 5000 - (bench.firstSample(after: start))
        }
        #expect(Set(errors) == [0, 30_000], "\(errors)")
        #expect(stamps != stamps.sorted(), "it goes back")
    }
}

extension DeviceBench {
    /// How long after an instant the first sample is due, in ms.
    fileprivate func firstSample(after start: Timestamp) -> Int {
        let grid = SamplingGrid(
            every: .seconds(5), of: device.identity,
            withItsHome: device.behaviour.samplesWithItsHome)
        return grid.next(after: start).since(start).wholeMilliseconds
    }
}
