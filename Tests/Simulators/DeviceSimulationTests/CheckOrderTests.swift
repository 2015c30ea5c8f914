import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Rule 5 of PROTOCOL section 3: each check, and that they come in their order.
@Suite struct CheckOrderTests {
    /// A command of `sweeper-s1` with everything wrong from one check on.
    struct Wrong: CustomTestStringConvertible {
        let topic: ResponseTopic?
        let boot: String?
        let name: String
        let revision: Int?
        let arguments: JSONObject
        let verdict: String

        var testDescription: String { verdict }
    }

    static let ladder = [
        Wrong(
            topic: .foreign, boot: "b9", name: "fly", revision: 99, arguments: ["a": 1],
            verdict: "rejected/BAD_RESPONSE_TOPIC"),
        Wrong(
            topic: nil, boot: "b9", name: "fly", revision: 99, arguments: ["a": 1],
            verdict: "rejected/STALE_SESSION"),
        Wrong(
            topic: nil, boot: "b1", name: "fly", revision: 99, arguments: ["a": 1],
            verdict: "rejected/UNKNOWN_COMMAND"),
        Wrong(
            topic: nil, boot: "b1", name: "resume", revision: 99, arguments: ["a": 1],
            verdict: "rejected/PRECONDITION"),
        Wrong(
            topic: nil, boot: "b1", name: "resume", revision: 1, arguments: ["a": 1],
            verdict: "rejected/BAD_ARGUMENTS"),
        Wrong(
            topic: nil, boot: "b1", name: "resume", revision: 1, arguments: [:],
            verdict: "rejected/WRONG_STATE"),
    ]

    @Test(arguments: ladder)
    func checksComeInTheirOrder(_ wrong: Wrong) throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order(
            wrong.name, wrong.arguments, ifRevision: wrong.revision, boot: wrong.boot)
        let actions = bench.give(bytes: order.payload, responseTopic: wrong.topic)
        #expect(actions.verdicts == [wrong.verdict])
        let ack = try #require(actions.acks.first)
        #expect(ack.n == 1 && ack.isFinal && ack.executions == 0 && ack.revision == 1)
        #expect(bench.give(order).acks == [ack.replayed], "the verdict is recorded")
    }

    @Test func aMissingRevisionComesBeforeTheArguments() throws {
        var bench = try DeviceBench("store-e10")
        let order = try Order("set-islanding", ["enabled": 1])
        #expect(bench.give(order).verdicts == ["rejected/BAD_REQUEST"])
    }

    @Test func stateComesBeforeSafetyThenTheFullLaneThenTheDryRun() throws {
        var bench = try DeviceBench("pool-p1")
        for _ in 0...16 { bench.give(try Order("start-program", ["program": "full"])) }
        func dryRun() throws -> [String] {
            let start = try Order(
                "start-program", ["program": "floor"], at: bench.clock.wire, dryRun: true)
            return bench.give(start).verdicts
        }
        #expect(try dryRun() == ["rejected/THROTTLED"])
        var pool = try #require(bench.device.behaviour as? PoolBehaviour)
        pool.place(inWater: false)
        bench.device.behaviour = pool
        #expect(try dryRun() == ["rejected/UNSAFE"])
        bench.pass(.seconds(40))
        #expect(bench.state?.state["error"] == "OUT_OF_WATER")
        #expect(try dryRun() == ["rejected/WRONG_STATE"])
    }

    @Test func aDryRunIsNotOvertaken() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("set-suction-level", ["level": "max"], sequence: 5))
        let late = try Order("set-suction-level", ["level": "quiet"], sequence: 4, dryRun: true)
        #expect(bench.give(late).verdicts == ["succeeded/OK"])
    }

    @Test(
        arguments: [
            ("start-cleaning", ["rooms": [70]]), ("start-cleaning", ["rooms": []]),
            ("start-cleaning", ["rooms": [3, 3]]), ("start-cleaning", ["passes": 4]),
            ("start-cleaning", ["passes": 1.5]), ("start-cleaning", ["room": [3]]),
            ("move-to", ["x": 1]), ("move-to", ["x": 1, "y": 99]), ("move-to", ["x": "1", "y": 1]),
            ("set-suction-level", [:]), ("set-suction-level", ["level": "loud"]),
            ("query-commands", ["ids": []]), ("query-commands", ["ids": ["x"]]),
            ("cancel-command", ["id": "018F3C1E-7B9A-7C2E-9D5E-3A1F0C9B7E11"]),
            ("identify", ["now": true]),
        ] as [(String, JSONObject)])
    func argumentsAreStrictAndNamed(_ name: String, _ arguments: JSONObject) throws {
        var bench = try DeviceBench("sweeper-s1")
        let ack = try #require(bench.give(try Order(name, arguments)).acks.first)
        #expect(ack.verdict == "rejected/BAD_ARGUMENTS")
        let culprits = ["rooms", "passes", "room", "x", "y", "level", "ids", "id", "now"]
        #expect(culprits.contains { ack.message.contains($0) })
    }

    @Test func dryRunChecksAndHasNoEffect() throws {
        var bench = try DeviceBench("sweeper-s1")
        let good = bench.give(try Order("set-suction-level", ["level": "max"], dryRun: true))
        #expect(good.verdicts == ["succeeded/OK"])
        #expect(good.acks.first?.executions == 0)
        #expect(good.states.isEmpty)
        #expect(bench.device.journal.state?.controlled["fanSpeed"] == "balanced")
        let bad = bench.give(try Order("set-suction-level", ["level": "loud"], dryRun: true))
        #expect(bad.verdicts == ["rejected/BAD_ARGUMENTS"])
    }

    @Test func overtakenSettingIsSuperseded() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("set-suction-level", ["level": "max"], sequence: 5))
        let late = bench.give(try Order("set-suction-level", ["level": "quiet"], sequence: 4))
        #expect(late.verdicts == ["superseded/SUPERSEDED"])
        #expect(late.acks.first?.n == 1)
        let other = try Order("set-suction-level", ["level": "quiet"], from: "ctl-2", sequence: 1)
        #expect(bench.give(other).verdicts == ["accepted/OK", "succeeded/OK"])
        try bench.restart()
        let afterRestart = bench.give(
            try Order("set-suction-level", ["level": "turbo"], sequence: 4))
        #expect(afterRestart.verdicts == ["superseded/SUPERSEDED"])
    }

    @Test func undoAfterAManualChangeFailsItsPrecondition() throws {
        var bench = try DeviceBench("sweeper-s1")
        let first = bench.give(try Order("set-suction-level", ["level": "max"], sequence: 1))
        let ack = try #require(first.acks.last)
        #expect(ack.result["previous"] == "balanced")
        bench.give(try Order("set-suction-level", ["level": "turbo"], from: "ctl-2"))
        let undo = try Order(
            "set-suction-level", ["level": "balanced"], sequence: 2, ifRevision: ack.revision)
        #expect(bench.give(undo).verdicts == ["rejected/PRECONDITION"])
        #expect(bench.state?.state["fanSpeed"] == "turbo")
    }

    @Test func undoWithTheRightRevisionRestores() throws {
        var bench = try DeviceBench("sweeper-s1")
        let ack = try #require(
            bench.give(try Order("set-suction-level", ["level": "max"], sequence: 1)).acks.last)
        let previous = try #require(ack.result["previous"])
        let undo = try Order(
            "set-suction-level", ["level": previous], sequence: 2, ifRevision: ack.revision)
        #expect(bench.give(undo).verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(bench.state?.state["fanSpeed"] == "balanced")
        let twice = try Order(
            "set-suction-level", ["level": previous], sequence: 3, ifRevision: ack.revision)
        #expect(bench.give(twice).verdicts == ["rejected/PRECONDITION"])
    }
}
