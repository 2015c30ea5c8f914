import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Rules 1 to 4 of PROTOCOL section 3, and the forms of rule 5.
@Suite struct RuleTests {
    @Test func retainedCommandIsDroppedAndCounted() throws {
        var bench = try DeviceBench("sweeper-s1")
        let actions = bench.give(bytes: try Order("locate").payload, retained: true)
        #expect(actions.counts == [.retainedCommand])
        #expect(actions.acks.isEmpty)
        #expect(actions.records.isEmpty)
    }

    @Test func emptyPayloadIsIgnored() throws {
        var bench = try DeviceBench("sweeper-s1")
        #expect(bench.give(bytes: []).isEmpty)
        #expect(bench.give(bytes: [], retained: true).isEmpty)
    }

    @Test(arguments: [
        "{", "[]", "null", "{\"v\":1}", "\u{FEFF}{}", "{\"id\":1,\"controller\":\"c\"}",
        "{\"v\":1,\"id\":\"018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11\",\"controller\":\"UPPER\"}",
        String(repeating: "[", count: 40_000), String(repeating: " ", count: 1 << 20),
    ])
    func unreadablePayloadIsDroppedAndCounted(_ text: String) throws {
        var bench = try DeviceBench("sweeper-s1")
        let actions = bench.give(bytes: Array(text.utf8))
        #expect(actions.counts == [.unreadableCommand])
        #expect(actions.acks.isEmpty)
    }

    @Test func unsupportedVersionAndBadRequestAreAnsweredUnrecorded() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate")
        let newer = Array(order.text.replacing("\"v\":1", with: "\"v\":2").utf8)
        let mistyped = Array(
            order.text.replacing("\"sequence\":1", with: "\"sequence\":\"1\"").utf8)
        for (bytes, verdict) in [
            (newer, "rejected/UNSUPPORTED_VERSION"), (mistyped, "rejected/BAD_REQUEST"),
        ] {
            for _ in 0..<2 {
                let actions = bench.give(bytes: bytes)
                #expect(actions.verdicts == [verdict])
                #expect(actions.acks.first?.n == 1)
                #expect(actions.acks.first?.isReplay == false)
                #expect(actions.acks.first?.executions == 0)
                #expect(actions.records.isEmpty)
            }
        }
        #expect(bench.give(order).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    @Test func unknownMembersAreIgnored() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate")
        let extended = order.text.replacing("{\"v\":1", with: "{\"x\":{\"y\":null},\"v\":1")
        #expect(bench.give(bytes: Array(extended.utf8)).verdicts.last == "succeeded/OK")
    }

    @Test func sameBytesAreAnsweredFromTheRecord() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("move-to", ["x": 1, "y": 3])
        bench.give(order)
        let running = bench.give(order).acks
        bench.pass(.seconds(120))
        let final = try #require(bench.acks(of: order).last)
        #expect(final.stage == .succeeded)
        bench.clock.pass(.seconds(60))
        let late = bench.give(order).acks
        #expect(running.map(\.stage) == [.accepted])
        #expect(running.map(\.isReplay) == [true])
        #expect(late == [final.replayed])
        #expect(bench.acks(of: order).map(\.executions).max() == 1)
        try bench.restart()
        bench.log = []
        let afterRestart = bench.give(order)
        #expect(afterRestart.acks.map(\.payload) == [final.replayed.payload])
        #expect(afterRestart.counts == [.duplicateCommand])
    }

    @Test func otherBytesUnderAUsedIDAreRefused() throws {
        var bench = try DeviceBench("sweeper-s1")
        let first = try Order("set-suction-level", ["level": "max"])
        let other = try Order("set-suction-level", ["level": "quiet"], id: first.id)
        bench.give(first)
        let refused = bench.give(other)
        #expect(refused.verdicts == ["rejected/ID_REUSED"])
        #expect(refused.acks.first?.n == 1)
        #expect(refused.records.isEmpty)
        #expect(bench.state?.state["fanSpeed"] == "max")
        #expect(bench.give(first).acks.map(\.stage) == [.succeeded])
    }

    @Test func twoControllersMayUseOneID() throws {
        var bench = try DeviceBench("sweeper-s1")
        let first = try Order("locate", from: "ctl-1")
        let second = try Order("locate", from: "ctl-2", id: first.id)
        #expect(bench.give(first).verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(bench.give(second).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    @Test func expiredCommandIsAnsweredOnceAndRemembered() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate", valid: .seconds(5))
        bench.clock.pass(.seconds(6))
        let first = bench.give(order)
        #expect(first.verdicts == ["expired/EXPIRED"])
        #expect(first.acks.first?.executions == 0)
        #expect(first.acks.first?.at == bench.clock.wire)
        bench.clock.wire = BenchClock().wire
        #expect(
            bench.give(order).verdicts == ["expired/EXPIRED"], "a late resend is not judged anew")
    }

    @Test func expiryAtTheVeryMomentIsNotPast() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate", valid: .zero)
        #expect(bench.give(order).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    @Test func duplicateIsRecognisedBeforeExpiry() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("locate", valid: .seconds(5))
        bench.give(order)
        bench.clock.pass(.seconds(60))
        #expect(bench.give(order).verdicts == ["succeeded/OK"])
    }

    @Test func expiredIDThatMayHaveRunBeforeItsEvictionIsDropped() throws {
        var bench = try DeviceBench("sweeper-s1")
        let older = try Order("locate")
        let newer = try Order("locate", at: BenchClock().wire.advanced(by: .milliseconds(5)))
        bench.give(newer)
        bench.confirmAll()
        bench.clock.pass(.seconds(2 * 3600))
        let dropped = bench.give(older)
        #expect(dropped.counts == [.evictedCommand])
        #expect(dropped.acks.isEmpty)
        #expect(bench.give(newer).counts == [.evictedCommand])
        let newest = try Order(
            "locate", at: BenchClock().wire.advanced(by: .milliseconds(9)))
        #expect(bench.give(newest).verdicts == ["expired/EXPIRED"])
    }

    @Test func responseTopicMustBeTheControllersOwn() throws {
        var bench = try DeviceBench("sweeper-s1")
        let own = ResponseTopic.acks(try ControllerID("ctl-1"))
        let honoured = try bench.give(bytes: Order("locate").payload, responseTopic: own)
        #expect(honoured.verdicts == ["accepted/OK", "succeeded/OK"])
        for topic in [ResponseTopic.acks(try ControllerID("ctl-2")), .foreign] {
            let order = try Order("locate")
            let actions = bench.give(bytes: order.payload, responseTopic: topic)
            #expect(actions.verdicts == ["rejected/BAD_RESPONSE_TOPIC"])
            guard case .publish(.ack(_, let controller), _)? = actions.last else {
                Issue.record("no ack")
                continue
            }
            #expect(controller.text == "ctl-1")
        }
    }
}
