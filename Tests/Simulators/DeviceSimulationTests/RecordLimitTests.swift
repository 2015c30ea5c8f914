import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// How much is remembered, and how long.
@Suite struct RecordLimitTests {
    @Test(arguments: [
        (30, 3600, 3600 + 120), (30, 60, 600), (7200, 3600, 7200 + 120), (60, 86_400, 86_400 + 120),
    ])
    func entryLivesAsLongAsItMust(_ valid: Int, _ session: Int, _ life: Int) throws {
        let received = BenchClock().wire
        let order = try Order("locate", at: received, valid: .seconds(valid))
        let expiry = RecordLimits.expiry(
            of: order.message, received: received, sessionExpiry: .seconds(session))
        #expect(expiry.since(received) == .seconds(life))
    }

    @Test func entryOutlivesACommandThatWasIssuedInTheFuture() throws {
        let received = BenchClock().wire
        let issued = received.advanced(by: .seconds(3600))
        let order = try Order("locate", at: issued, valid: .seconds(7200))
        let expiry = RecordLimits.expiry(
            of: order.message, received: received, sessionExpiry: .zero)
        #expect(expiry > order.message.expiresAt)
    }

    @Test func queriesAndDryRunsLiveTwoMinutes() throws {
        let received = BenchClock().wire
        for order in [
            try Order("query-commands", ["ids": []]), try Order("locate", dryRun: true),
        ] {
            let expiry = RecordLimits.expiry(
                of: order.message, received: received, sessionExpiry: .seconds(3600))
            #expect(expiry.since(received) == .seconds(120))
        }
    }

    @Test func confirmedEntryIsEvictedAfterItsLifeAndLeavesItsMark() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate")
        bench.give(order)
        bench.clock.pass(.seconds(3600 + 121))
        bench.give(try Order("locate", at: bench.clock.wire))
        #expect(bench.device.journal.entries.count == 2, "not confirmed, not evicted")
        bench.confirmAll()
        bench.clock.pass(.seconds(11))
        bench.give(try Order("identify", at: bench.clock.wire))
        #expect(bench.device.journal.entries[key(order)] == nil)
        #expect(bench.device.journal.watermarks[order.message.controller] == order.id)
        #expect(bench.journal == bench.device.journal)
    }

    @Test func unfinishedActionIsNeverEvicted() throws {
        var bench = try DeviceBench("store-e5")
        bench.give(try Order("set-mode", ["mode": "idle"]))
        let order = try Order("charge", ["powerW": 100])
        bench.give(order)
        bench.confirmAll()
        bench.pass(.seconds(2 * 3600))
        bench.give(try Order("identify", at: bench.clock.wire))
        #expect(bench.device.journal.entries[key(order)]?.isFinished == false)
        #expect(bench.device.journal.entries.count == 2)
    }

    @Test func oneControllerGetsHalfOfTheRecord() throws {
        var bench = try DeviceBench("sweeper-s1", restoring: try .filled(["ctl-1": 4_999]))
        #expect(bench.give(try Order("locate")).verdicts == ["accepted/OK", "succeeded/OK"])
        let refused = try Order("locate")
        let full = bench.give(refused)
        let ack = try #require(full.acks.first)
        #expect(ack.verdict == "rejected/THROTTLED" && ack.n == 0 && !ack.isFinal)
        #expect(full.counts == [.fullRecord] && full.records.isEmpty)
        #expect(bench.give(refused).acks.map(\.isReplay) == [false])
        #expect(bench.give(try Order("locate", from: "ctl-2")).verdicts.last == "succeeded/OK")
    }

    @Test func hundredEntriesAreKeptForTheUrgentLane() throws {
        let filled = try DeviceJournalState.filled(["ctl-1": 5_000, "ctl-2": 4_900])
        var bench = try DeviceBench("sweeper-s1", restoring: filled)
        #expect(bench.give(try Order("locate", from: "ctl-3")).verdicts == ["rejected/THROTTLED"])
        let stop = try Order("stop", from: "ctl-3")
        #expect(bench.give(stop, lane: .urgent).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    private func key(_ order: Order) -> CommandKey {
        CommandKey(controller: order.message.controller, id: order.id)
    }
}

extension DeviceJournalState {
    /// A record with so many ended commands of each controller.
    static func filled(_ counts: [String: Int]) throws -> DeviceJournalState {
        var state = DeviceJournalState.empty
        let template = try Order("locate").message
        for (controller, count) in counts {
            let controller = try ControllerID(controller)
            for _ in 0..<count {
                let id = OrderIDs.next(at: template.issuedAt)
                let ack = AckMessage(
                    id: id, device: try DeviceID("robot-1"), boot: try BootID("b0"), n: 1,
                    stage: .succeeded, revision: 1, executions: 1, at: template.issuedAt)
                state.apply(
                    .entered(
                        JournalEntry(
                            command: CommandKey(controller: controller, id: id), payload: [],
                            isUrgent: false, ack: ack, isConfirmed: true,
                            expiry: template.issuedAt.advanced(by: .seconds(3600)))))
            }
        }
        return state
    }
}
