import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// `query-commands` of PROTOCOL section 5.
@Suite struct QueryTests {
    @Test func knownCommandsComeWithTheirLatestAck() throws {
        var bench = try DeviceBench("sweeper-s1")
        let done = try Order("set-suction-level", ["level": "max"])
        let running = try Order("start-cleaning")
        bench.give(done)
        bench.give(running)
        bench.pass(.seconds(11))
        let answer = try bench.ask([done.id, running.id])
        #expect(answer.map(\.outcome) == ["known", "known"])
        #expect(answer.map(\.ack) == [bench.acks(of: done).last, bench.acks(of: running).last])
        #expect(answer[1].ack?.stage == .progress)
    }

    @Test func commandOfAnotherControllerIsNotKnown() throws {
        var bench = try DeviceBench("sweeper-s1")
        let foreign = try Order("locate", from: "ctl-2")
        bench.give(foreign)
        #expect(try bench.ask([foreign.id]).map(\.outcome) == ["never"])
    }

    @Test func neverIsAPromise() throws {
        var bench = try DeviceBench("sweeper-s1")
        let lost = try Order("start-cleaning")
        #expect(try bench.ask([lost.id, lost.id]).map(\.outcome) == ["never", "never"])
        try bench.restart()
        let late = bench.give(lost)
        #expect(late.verdicts == ["rejected/STALE_SESSION"])
        #expect(bench.give(lost).acks.map(\.isReplay) == [true])
        #expect(try bench.ask([lost.id]).map(\.outcome) == ["known"])
    }

    @Test func atMostTwoHundredPromisesAreMade() throws {
        var bench = try DeviceBench("sweeper-s1")
        for _ in 0..<2 {
            let ids = (0..<100).map { _ in OrderIDs.next(at: bench.clock.wire) }
            #expect(try bench.ask(ids).allSatisfy { $0.outcome == "never" })
        }
        let more = OrderIDs.next(at: bench.clock.wire)
        #expect(try bench.ask([more]).map(\.outcome) == ["forgotten"])
        #expect(try bench.ask([more], from: "ctl-2").map(\.outcome) == ["never"])
        bench.clock.pass(.seconds(26 * 3600))
        bench.give(try Order("locate", at: bench.clock.wire))
        #expect(bench.device.journal.promises.isEmpty, "promises have an end")
    }

    @Test func whatMayHaveBeenEvictedIsForgotten() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate")
        bench.give(order)
        bench.confirmAll()
        bench.clock.pass(.seconds(3600 + 121))
        let older = OrderIDs.next(at: Timestamp(milliseconds: 1_000))
        let newer = OrderIDs.next(at: bench.clock.wire)
        let answer = try bench.ask([order.id, older, newer])
        #expect(answer.map(\.outcome) == ["forgotten", "forgotten", "never"])
    }

    @Test func lostRecordMakesNoPromiseAboutItsPast() throws {
        let anew = DeviceJournalState.startingAnew(at: BenchClock().wire)
        var bench = try DeviceBench("sweeper-s1", restoring: anew)
        bench.clock.pass(.seconds(1))
        let before = OrderIDs.next(at: BenchClock().wire)
        let after = OrderIDs.next(at: bench.clock.wire)
        #expect(try bench.ask([before, after]).map(\.outcome) == ["forgotten", "never"])
    }

    @Test func answerStaysBelowSixtyKibibytes() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "waterline"]
        let full = JSONValue.array(Array(repeating: entry, count: 14))
        var ids: [CommandID] = []
        for number in 0..<100 {
            let order = try Order("set-schedule", ["entries": full], sequence: number + 1)
            bench.give(order)
            ids.append(order.id)
        }
        let order = try Order("query-commands", ["ids": .array(ids.map { .string($0.text) })])
        let ack = try #require(bench.give(order).acks.last)
        let items = try #require(ack.result["commands"]?.array)
        #expect(ack.payload.count <= 60 * 1024 && ack.payload.count > 55 * 1024)
        #expect(items.count < 100)
        #expect(
            items.compactMap { $0.object?["id"]?.string } == ids.prefix(items.count).map(\.text))
        let rest = try bench.ask(Array(ids.dropFirst(items.count)))
        #expect(rest.count > 0 && rest.allSatisfy { $0.outcome == "known" })
    }

    @Test func storedQueryAppearsWithAnEmptyResult() throws {
        var bench = try DeviceBench("sweeper-s1")
        let query = try Order(
            "query-commands", ["ids": [.string(OrderIDs.next(at: BenchClock().wire).text)]])
        let answer = bench.give(query)
        let item = try #require(try bench.ask([query.id]).first)
        #expect(item.ack?.stage == .succeeded && item.ack?.result == [:])
        #expect(bench.give(query).acks == [try #require(answer.acks.last).replayed])
    }
}

extension DeviceBench {
    /// One item of an answer.
    struct Answer {
        let outcome: String
        let ack: AckMessage?
    }

    /// Asks what became of commands.
    mutating func ask(_ ids: [CommandID], from controller: String = "ctl-1") throws -> [Answer] {
        let order = try Order(
            "query-commands", ["ids": .array(ids.map { .string($0.text) })], from: controller,
            at: clock.wire)
        let ack = try #require(give(order).acks.last)
        let items = try #require(ack.result["commands"]?.array)
        return try items.map { item in
            let members = try #require(item.object)
            let ack = try members["ack"]?.object.map { try AckMessage(members: $0) }
            return Answer(outcome: try #require(members["outcome"]?.string), ack: ack)
        }
    }
}
