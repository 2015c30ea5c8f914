import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults of messages, as they leave a device.
@Suite struct MessageFaultTests {
    @Test func formerMessagesComeAgainAndNoneIsMissing() throws {
        var bench = try DeviceBench("sweeper-s1")
        let said = try bench.inject(.replay, ["percent": 100]).published.map(\.payload)
        bench.log = []
        bench.give(try Order("set-suction-level", ["level": "max"]))
        bench.pass(.seconds(20))
        let sent = bench.log.published.map(\.payload)
        #expect(sent.count == 2 * (bench.log.confirmations.count + 2 + 4), "\(sent.count)")
        for (place, payload) in sent.enumerated() where place % 2 == 1 {
            #expect((said + sent[..<place]).contains(payload), "it was said before")
        }
        #expect(bench.log.altered.allSatisfy { $0.message.payload == $0.payload })
        #expect(bench.log.confirmations.count == 1)
    }

    @Test func truncatedPayloadsAreBeginningsThatNobodyCanRead() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.truncate, ["percent": 100])
        bench.give(try Order("set-reserve", ["percent": 60]))
        bench.pass(.seconds(10))
        let altered = bench.log.altered
        #expect(Set(altered.map(\.message.topicName)).count == 5, "every topic")
        for (message, payload) in altered {
            #expect(message.payload.starts(with: payload) && payload.count < message.payload.count)
            #expect(!payload.isEmpty && !message.isReadable(payload))
        }
        bench.log = []
        let told = bench.give(.clear(.truncate))
        #expect(told.states.last?.state["reservePercent"] == 60, "the true state at the end")
        #expect(told.altered.isEmpty && told.presences.count == 1)
    }

    @Test func aMemberOfAWrongPayloadHasAnotherType() throws {
        var bench = try DeviceBench("pool-p1")
        try bench.inject(.wrongPayload, ["percent": 100])
        for number in 1...40 {
            bench.give(try Order("identify", at: bench.clock.wire, sequence: number))
            bench.pass(.seconds(5))
        }
        let altered = bench.log.altered
        #expect(altered.count > 100)
        for (message, payload) in altered {
            let former = try #require(try JSONReader.read(message.payload).object)
            let members = try #require(try JSONReader.read(payload).object)
            #expect(former.keys == members.keys)
            #expect(former.filter { members[$0.key] != $0.value }.count == 1)
            // A wrong floor plan leaves a description usable.
            #expect(!message.isReadable(payload))
        }
    }

    @Test func aShareOfTheMessagesIsHit() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.truncate, ["percent": 25])
        bench.pass(.seconds(1000))
        let (spoiled, sound) = (bench.log.altered.count, bench.log.samples.count)
        #expect((35...65).contains(spoiled) && spoiled + sound >= 200, "\(spoiled) of \(sound)")
    }

    @Test func samplesLeaveInAnotherOrder() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.reorder, ["percent": 50])
        bench.pass(.seconds(300))
        let numbers = bench.log.published.compactMap { publication -> Int? in
            guard publication.sort == .telemetry else { return nil }
            return try? TelemetryMessage(payload: publication.payload).n
        }
        #expect(numbers != numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(numbers.count >= 59, "none is missing")
    }

    @Test func aFrozenStateIsNeverUpdatedAndTrueAtTheEnd() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning", ["rooms": [3]]))
        bench.pass(.seconds(60))
        bench.give(try Order("return-to-dock", at: bench.clock.wire, sequence: 2))
        #expect(bench.state?.state["activity"] == "returning")
        let frozen = try #require(bench.state)
        try bench.inject(.frozenState)
        bench.log = []
        bench.pass(.seconds(600))
        #expect(bench.log.states.isEmpty && bench.log.samples.count == 120)
        #expect(bench.log.events.contains("docked") && bench.log.verdicts.last == "succeeded/OK")
        bench.give(.disconnected)
        #expect(bench.give(.connected).states == [frozen], "also what the broker keeps")
        let told = bench.give(.clear(.frozenState)).states
        #expect(told.map(\.state["activity"]) == ["docked"])
        #expect((told.first?.revision ?? 0) > frozen.revision)
    }

    @Test func aFrozenStateSurvivesAReboot() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.frozenState)
        try bench.reboot()
        bench.log = []
        bench.give(try Order("set-suction-level", ["level": "max"]))
        #expect(bench.log.states.isEmpty && bench.log.verdicts.count == 2)
    }

    @Test(arguments: ["sweeper-s1", "pool-c1", "store-e10"])
    func anUnknownErrorIsInEveryStateUntilItEnds(_ model: String) throws {
        var bench = try DeviceBench(model)
        let honest = try #require(bench.state)
        let told = bench.log
        #expect(!told.states.contains { $0.saysUnknownError })
        let begun = try bench.inject(.unknownError)
        #expect(begun.states.map(\.saysUnknownError) == [true])
        #expect(begun.states.first?.revision == honest.revision)
        bench.give(try Order("stop"))
        #expect(bench.state?.saysUnknownError == true, "it does not clear")
        #expect(bench.give(.clear(.unknownError)).states.map(\.state) == [honest.state])
    }
}

extension StateMessage {
    /// Whether it has the code that no table has.
    fileprivate var saysUnknownError: Bool {
        state["error"] == "ERROR_4711" || state["alarms"]?.array?.contains("error-4711") == true
    }
}

extension DevicePublication {
    /// The kind of its topic.
    fileprivate var topicName: String {
        switch self {
        case .description: "description"
        case .presence: "presence"
        case .state: "state"
        case .telemetry: "telemetry"
        case .event: "event"
        case .ack: "ack"
        case .altered(let message, _): message.topicName
        }
    }

    /// Whether bytes on its topic can be read.
    fileprivate func isReadable(_ payload: [UInt8]) -> Bool {
        do {
            switch self {
            case .description: _ = try DescriptionMessage(payload: payload)
            case .presence: _ = try PresenceMessage(payload: payload)
            case .state: _ = try StateMessage(payload: payload)
            case .telemetry: _ = try TelemetryMessage(payload: payload)
            case .event: _ = try EventMessage(payload: payload)
            case .ack: _ = try AckMessage(payload: payload)
            case .altered(let message, _): return message.isReadable(payload)
            }
            return true
        } catch { return false }
    }
}
