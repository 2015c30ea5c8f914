import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The process dies after any record: what was done after it is lost, what was recorded is not
/// (PROTOCOL section 3, and the last row of rule 6).
@Suite struct CrashTests {
    /// What happens to a fresh device, and how long until it has ended.
    struct Story: CustomTestStringConvertible {
        let model: String
        let orders: [(name: String, arguments: JSONObject)]
        let lasts: Duration

        var testDescription: String { orders.map(\.name).joined(separator: ", ") }
    }

    static let stories = [
        Story(
            model: "sweeper-s1", orders: [("set-suction-level", ["level": "max"])], lasts: .zero),
        Story(model: "sweeper-s1", orders: [("locate", [:])], lasts: .zero),
        Story(
            model: "sweeper-s1", orders: [("move-to", ["x": 1, "y": 3])], lasts: .seconds(30)),
        Story(
            model: "sweeper-s1",
            orders: [("start-cleaning", [:]), ("start-cleaning", [:]), ("stop", [:])],
            lasts: .zero),
        Story(
            model: "sweeper-s1", orders: [("start-cleaning", [:]), ("return-to-dock", [:])],
            lasts: .seconds(30)),
        Story(
            model: "store-e5",
            orders: [("charge", ["powerW": 2000]), ("discharge", ["powerW": 1000]), ("stop", [:])],
            lasts: .zero),
        Story(
            model: "pool-p1",
            orders: [
                ("set-schedule", ["entries": [["weekday": 1, "at": "09:30", "program": "floor"]]]),
                ("start-program", ["program": "floor"]), ("surface", [:]),
            ],
            lasts: .seconds(60)),
    ]

    @Test(arguments: stories)
    func nothingRunsTwiceWhereverTheProcessDies(_ story: Story) throws {
        let whole = try Self.play(story)
        let records = whole.bench.log.records.count
        #expect(records > 3)
        for kept in 1...records { try Self.die(after: kept, in: story) }
    }

    private static func play(_ story: Story) throws -> (bench: DeviceBench, orders: [Order]) {
        var bench = try DeviceBench(story.model)
        let orders = try story.orders.map { try Order($0.name, $0.arguments, valid: .seconds(600)) }
        for order in orders { bench.give(order) }
        bench.pass(story.lasts)
        return (bench, orders)
    }

    /// Plays the story, keeps only what came before the end of record number `kept`, restarts,
    /// and sends every command again that the controller has no final ack of.
    private static func die(after kept: Int, in story: Story) throws {
        let played = try play(story)
        var bench = played.bench
        bench.truncate(afterRecord: kept)
        let seen = Dictionary(grouping: bench.log.acks.filter(\.isFinal), by: \.id)
        let known = bench.journal.entries.keys.map(\.id)
        let revision = bench.journal.state?.revision ?? 0
        bench.log = []
        try bench.restart()
        bench.pass(.seconds(1))
        let announced = Dictionary(grouping: bench.log.acks, by: \.id)
        for order in played.orders where known.contains(order.id) {
            let again = try #require(bench.give(order).acks.last)
            #expect(again.isReplay && again.isFinal)
            let first = try #require((seen[order.id] ?? announced[order.id])?.first)
            #expect(again == first.replayed, "the first final ack stands")
            if Self.settings.contains(order.message.name.rawValue) {
                #expect(again.stage == .succeeded, "a setting is applied again")
            } else {
                #expect(again.executions <= 1)
            }
        }
        #expect(bench.log.states.allSatisfy { $0.revision >= revision })
        #expect(bench.device.journal == bench.journal, "the journal folds to what the device knows")
    }

    /// A journal may come from a build that took what this one does not.
    @Test func aRecordedSettingThatCannotBeAppliedFailsInsteadOfKeepingTheOldOne() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "floor"]
        let order = try Order("set-schedule", ["entries": [entry]])
        bench.give(order)
        let accepted = try #require(bench.acks(of: order).first)
        let (key, recorded) = try #require(bench.journal.entries.first)
        let impossible = try Order(
            "set-schedule", ["entries": [["weekday": 8, "at": "09:30", "program": "floor"]]],
            id: order.id)
        bench.journal = .empty
        bench.journal.apply(
            .entered(
                JournalEntry(
                    command: key, payload: impossible.payload, isUrgent: false, ack: accepted,
                    expiry: recorded.expiry)))
        try bench.restart()
        let ack = try #require(bench.acks(of: order).last)
        #expect(ack.stage == .failed && ack.code == .badArguments)
        #expect(ack.message.contains("weekday"))
        #expect(bench.state?.state["settings"] == ["schedule": []])
    }

    private static let settings: Set = ["set-suction-level", "set-schedule"]

    @Test func unconfirmedFinalsComeAgainByteForByteUntilConfirmed() throws {
        var bench = try DeviceBench("sweeper-s1")
        for _ in 0..<3 {
            bench.give(try Order("locate"))
            bench.clock.pass(.milliseconds(1))
        }
        let finals = bench.log.acks.filter(\.isFinal).map(\.payload)
        let first = try #require(bench.log.confirmations.first)
        bench.give(.confirmed(first))
        bench.give(.disconnected)
        let reconnected = bench.give(.connected)
        #expect(reconnected.acks.map(\.payload) == Array(finals.dropFirst()))
        #expect(reconnected.outline.prefix(3) == ["description", "presence online", "state 1"])
        let restarted = try bench.restart()
        #expect(restarted.acks.map(\.payload) == Array(finals.dropFirst()))
        #expect(restarted.confirmations.count == 2)
        bench.confirmAll()
        let quiet = try bench.restart()
        #expect(quiet.acks.isEmpty)
    }

    @Test func finalReachedWhileDisconnectedComesAfterTheConnect() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("move-to", ["x": 1, "y": 3])
        bench.give(order)
        bench.give(.disconnected)
        let silent = bench.pass(.seconds(60))
        #expect(silent.acks.isEmpty && silent.samples.isEmpty)
        #expect(bench.give(.connected).acks.map(\.verdict) == ["succeeded/OK"])
    }

    @Test func settingsRevisionAndSequenceSurvive() throws {
        var bench = try DeviceBench("store-e5")
        bench.give(try Order("set-mode", ["mode": "backup"], sequence: 9))
        bench.give(try Order("set-reserve", ["percent": 33], sequence: 10))
        let before = try #require(bench.state)
        try bench.restart()
        let after = try #require(bench.state)
        #expect(after.state == before.state && after.revision == before.revision)
        #expect(after.boot.text == "b2" && after.by == before.by)
        let late = bench.give(try Order("set-mode", ["mode": "idle"], sequence: 8))
        #expect(late.verdicts == ["superseded/SUPERSEDED"])
    }
}

extension DeviceBench {
    /// Takes back everything after the record of this number, in the log and in the journal.
    mutating func truncate(afterRecord kept: Int) {
        let ends = log.indices.filter { if case .record = log[$0] { true } else { false } }
        log = Array(log[...ends[kept - 1]])
        journal = DeviceJournalState.empty
        for record in log.records { journal.apply(record) }
    }
}
