import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults of acknowledgements, as they leave a device.
@Suite struct AckFaultTests {
    @Test func duplicateAcksLeaveTwiceAndAreConfirmedOnce() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.duplicateAcks)
        let actions = bench.give(try Order("set-suction-level", ["level": "max"]))
        #expect(
            actions.verdicts == ["accepted/OK", "accepted/OK", "succeeded/OK", "succeeded/OK"])
        #expect(Set(actions.acks.map(\.payload)).count == 2, "the same bytes")
        #expect(actions.states.count == 1 && actions.confirmations.count == 1)
        bench.give(.clear(.duplicateAcks))
        #expect(bench.give(try Order("locate")).verdicts.count == 2)
    }

    @Test func lateAcksLeaveInOrderAfterATimeThatIsDrawn() throws {
        func times(seed: UInt64) throws -> [Duration] {
            var bench = try DeviceBench("sweeper-s1", seed: seed)
            try bench.inject(.lateAcks, ["leastMs": 2000, "mostMs": 9000])
            let order = try Order("locate")
            #expect(bench.give(order).acks.isEmpty)
            let start = bench.clock.monotonic
            var times: [Duration] = []
            for _ in 0..<100 {
                let told = bench.pass(.milliseconds(100)).acks
                times += told.map { _ in bench.clock.monotonic - start }
            }
            #expect(bench.acks(of: order).map(\.n) == [1, 2])
            #expect(times.allSatisfy { (.seconds(2) ... .milliseconds(9100)).contains($0) })
            return times
        }
        let all = try (1...8).map { try times(seed: $0) }
        #expect(Set(all).count > 4, "\(all)")
        #expect(try times(seed: 3) == all[2])
    }

    @Test func theEndOfLateAcksSendsWhatWaits() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.lateAcks, ["leastMs": 60_000])
        bench.give(try Order("locate"))
        #expect(bench.give(.clear(.lateAcks)).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    /// The device believes that they were heard: it sends them neither at the end nor after a reconnect.
    @Test func droppedAcksAreLostForGoodUntilTheDeviceIsAsked() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.dropAcks, ["percent": 100])
        let order = try Order("set-suction-level", ["level": "max"])
        let actions = bench.give(order)
        #expect(actions.acks.isEmpty && actions.states.count == 1)
        let key = CommandKey(controller: order.message.controller, id: order.id)
        #expect(actions.records.contains(.confirmed(key)))
        #expect(bench.give(.clear(.dropAcks)).acks.isEmpty)
        bench.give(.disconnected)
        #expect(bench.give(.connected).acks.isEmpty)
        #expect(bench.give(order).acks.map(\.isReplay) == [true])
        #expect(bench.journal.entries[key]?.executions == 1)
    }

    @Test func aShareOfTheAcksIsHit() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.dropAcks, ["percent": 30])
        for number in 1...200 {
            bench.give(try Order("identify", sequence: number))
        }
        #expect((240...320).contains(bench.log.acks.count), "\(bench.log.acks.count)")
    }

    @Test func reorderedAcksLeaveAfterTheNextOneOrInTime() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.reorder, ["percent": 100])
        let order = try Order("locate")
        #expect(bench.give(order).verdicts == ["succeeded/OK", "accepted/OK"])
        #expect(bench.acks(of: order).map(\.n) == [2, 1])
        #expect(bench.log.confirmations.count == 1)
        let clean = try Order("start-cleaning", ["rooms": [3]])
        #expect(bench.give(clean).acks.isEmpty)
        #expect(bench.pass(.milliseconds(4999)).acks.isEmpty)
        #expect(bench.pass(.milliseconds(1)).verdicts == ["accepted/OK"])
    }

    @Test func theEndOfTheDisorderSendsWhatWaits() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.reorder, ["percent": 100])
        bench.give(try Order("start-cleaning", ["rooms": [3]]))
        #expect(bench.give(.clear(.reorder)).verdicts == ["accepted/OK"])
    }

    @Test func aReconnectForgetsWhatWaitsAndTellsTheEndOnce() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.reorder, ["percent": 100])
        bench.give(try Order("start-cleaning", ["rooms": [3]]))
        bench.give(.disconnected)
        #expect(bench.give(.clear(nil)).published.isEmpty)
        #expect(bench.give(.connected).acks.isEmpty)
    }

    @Test func fewFaultsTogetherKeepTheirOrder() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.slow, ["delayMs": 1000])
        try bench.inject(.duplicateAcks)
        bench.give(try Order("locate"))
        #expect(bench.pass(.seconds(1)).acks.map(\.n) == [1, 1, 2, 2])
        try bench.inject(.mute)
        #expect(bench.give(try Order("locate")).acks.isEmpty)
        #expect(bench.pass(.seconds(1)).acks.isEmpty)
    }
}
