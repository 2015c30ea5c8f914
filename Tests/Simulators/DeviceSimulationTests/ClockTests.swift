import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// A device whose wall clock is wrong or is set while it works: the wall clock decides expiry alone, and
/// every wait goes by the monotonic one.
@Suite(.timeLimit(.minutes(1))) struct ClockTests {
    @Test func aClockThatIsAheadExpiresCommandsAndSaysItsTime() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.setClock(by: .seconds(600))
        let order = try Order("locate")
        let actions = bench.give(order)
        #expect(actions.verdicts == ["expired/EXPIRED"])
        #expect(actions.acks.last?.executions == 0)
        #expect(actions.acks.last?.at.since(order.message.issuedAt) == .seconds(600))
    }

    /// Behind by ten minutes, and a device that has never learnt the time.
    @Test(arguments: [Duration.seconds(-600), .seconds(-1_750_500_000)])
    func aClockThatIsBehindExpiresNothing(step: Duration) throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.setClock(by: step)
        let order = try Order("locate")
        let actions = bench.give(order)
        #expect(actions.verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(actions.acks.last?.at.since(order.message.issuedAt) == step)
    }

    @Test(arguments: [Duration.seconds(-600), .seconds(600)])
    func aStepOfTheClockDoesNotChangeTheProgressOfAnAction(step: Duration) throws {
        var bench = try DeviceBench("sweeper-s1")
        let cleaning = try Order("start-cleaning")
        bench.give(cleaning)
        bench.pass(.seconds(5))
        bench.setClock(by: step)
        let before = bench.acks(of: cleaning).count
        bench.pass(.seconds(90))
        let acks = bench.acks(of: cleaning)
        #expect(acks.count - before >= 3, "progress comes at least every 30 s")
        #expect(acks.allSatisfy { !$0.isFinal })
    }

    @Test func whatWaitsInTheLaneExpiresByTheClockAsItIsSet() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning"))
        let waiting = try Order("move-to", ["x": 1, "y": 1], valid: .seconds(60))
        bench.give(waiting)
        bench.setClock(by: .seconds(-600))
        bench.pass(.seconds(120))
        #expect(bench.acks(of: waiting).allSatisfy { !$0.isFinal }, "its time has not passed")
        bench.setClock(by: .seconds(600))
        bench.pass(.seconds(60))
        #expect(bench.acks(of: waiting).last?.verdict == "expired/EXPIRED")
        #expect(bench.acks(of: waiting).last?.executions == 0)
    }
}

extension DeviceBench {
    /// Sets the wall clock, and no other.
    fileprivate mutating func setClock(by step: Duration) {
        clock.wire = clock.wire.advanced(by: step)
    }
}
