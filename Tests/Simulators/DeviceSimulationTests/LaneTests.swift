import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The lanes of PROTOCOL section 3: waiting, stopping, preempting, pausing.
@Suite struct LaneTests {
    @Test func oneActionRunsWhileOthersWait() throws {
        var bench = try DeviceBench("sweeper-s1")
        let first = try Order("move-to", ["x": 1, "y": 3], valid: .seconds(600))
        let second = try Order("move-to", ["x": 7, "y": 3], valid: .seconds(600))
        bench.give(first)
        #expect(bench.give(second).verdicts == ["accepted/OK"])
        bench.pass(.seconds(180))
        let finished = bench.log.acks.filter(\.isFinal)
        #expect(finished.map(\.id) == [first.id, second.id])
        #expect(finished.map(\.executions) == [1, 1])
        #expect(bench.acks(of: second).contains { $0.stage == .progress && $0.executions == 0 })
    }

    @Test func seventeenthWaitingActionIsThrottledAndThatIsRecorded() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning"))
        for _ in 0..<16 {
            #expect(bench.give(try Order("start-cleaning")).verdicts == ["accepted/OK"])
        }
        let full = try Order("start-cleaning")
        let ack = try #require(bench.give(full).acks.first)
        #expect(ack.verdict == "rejected/THROTTLED" && ack.n == 1 && ack.isFinal)
        #expect(bench.give(full).acks == [ack.replayed])
        #expect(bench.give(try Order("locate")).verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(bench.give(try Order("return-to-dock")).verdicts.first == "accepted/OK")
    }

    @Test func progressComesWellWithinThirtySecondsFromAllOfThem() throws {
        var bench = try DeviceBench("sweeper-s1")
        let orders = try (0..<3).map { _ in try Order("start-cleaning", valid: .seconds(3600)) }
        var seen: [CommandID: [Timestamp]] = [:]
        for order in orders { bench.give(order) }
        bench.pass(.seconds(120))
        for ack in bench.log.acks { seen[ack.id, default: []].append(ack.at) }
        for order in orders {
            let times = try #require(seen[order.id])
            #expect(times.count >= 12)
            let gaps = zip(times, times.dropFirst()).map { $1.since($0) }
            #expect(gaps.allSatisfy { $0 < .seconds(30) })
        }
    }

    @Test func actionExpiresInTheLane() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning", ["rooms": [5]]))
        let waiting = try Order("move-to", ["x": 1, "y": 1], valid: .seconds(12))
        bench.give(waiting)
        bench.pass(.seconds(14))
        let acks = bench.acks(of: waiting)
        #expect(acks.map(\.stage) == [.accepted, .progress, .expired])
        #expect(acks.map(\.n) == [1, 2, 3])
        #expect(acks.last?.executions == 0 && acks.last?.code == .expired)
        #expect(
            bench.acks(of: waiting).last?.at
                == waiting.message.expiresAt.advanced(by: .milliseconds(1)))
    }

    @Test func stopEndsEverythingInItsOrder() throws {
        var bench = try DeviceBench("sweeper-s1")
        let running = try Order("start-cleaning")
        let waiting = try (0..<10).map { _ in try Order("start-cleaning") }
        bench.give(running)
        for order in waiting { bench.give(order) }
        let stop = try Order("stop")
        let actions = bench.give(stop, lane: .urgent)
        let expected =
            [("accepted/OK", stop.id), ("cancelled/CANCELLED", running.id)]
            + waiting.map { ("superseded/SUPERSEDED", $0.id) } + [("succeeded/OK", stop.id)]
        #expect(actions.verdicts == expected.map(\.0))
        #expect(actions.acks.map(\.id) == expected.map(\.1))
        let state = try #require(actions.outline.firstIndex { $0.hasPrefix("state") })
        #expect(actions.outline[state + 1] == "ack cancelled 2")
        #expect(bench.state?.state["activity"] == "idle")
        #expect(
            actions.acks.allSatisfy {
                $0.stage == .accepted || $0.revision == bench.state?.revision
            })
        bench.pass(.seconds(60))
        #expect(bench.device.activityName == "idle")
    }

    @Test func stopWithNothingToStopSucceeds() throws {
        var bench = try DeviceBench("sweeper-s1")
        #expect(
            bench.give(try Order("stop"), lane: .urgent).verdicts == [
                "accepted/OK", "succeeded/OK",
            ])
        #expect(
            bench.give(try Order("stop"), lane: .normal).verdicts == [
                "accepted/OK", "succeeded/OK",
            ])
    }

    @Test func returnToDockEndsWhatRunsAndWhatWaits() throws {
        var bench = try DeviceBench("sweeper-s1")
        let cleaning = try Order("start-cleaning")
        let waiting = try Order("move-to", ["x": 1, "y": 3], valid: .seconds(3600))
        bench.give(cleaning)
        let accepted = try #require(bench.give(waiting).acks.last)
        #expect(accepted.message == "waits behind start-cleaning")
        bench.pass(.seconds(60))
        let home = try Order("return-to-dock", at: bench.clock.wire)
        let actions = bench.give(home)
        #expect(
            actions.verdicts == ["accepted/OK", "superseded/SUPERSEDED", "superseded/SUPERSEDED"])
        #expect(actions.states.last?.state["activity"] == "returning")
        bench.pass(.seconds(120))
        #expect(bench.acks(of: home).last?.stage == .succeeded)
        #expect(bench.acks(of: waiting).last?.stage == .superseded)
        #expect(bench.state?.state["activity"] == "docked", "it stays at home")
        #expect(bench.log.events.contains("docked"))
    }

    @Test func pauseAndResumeWithoutEffectAreRefused() throws {
        var bench = try DeviceBench("sweeper-s1")
        #expect(bench.give(try Order("pause")).verdicts == ["rejected/WRONG_STATE"])
        #expect(bench.give(try Order("resume")).verdicts == ["rejected/WRONG_STATE"])
        let cleaning = try Order("start-cleaning", ["rooms": [5]])
        bench.give(cleaning)
        #expect(bench.give(try Order("pause")).verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(bench.state?.state["activity"] == "paused")
        #expect(bench.give(try Order("pause")).verdicts == ["rejected/WRONG_STATE"])
        bench.pass(.seconds(40))
        #expect(bench.acks(of: cleaning).filter { $0.stage == .progress }.count >= 3)
        #expect(
            bench.give(try Order("resume", at: bench.clock.wire)).verdicts == [
                "accepted/OK", "succeeded/OK",
            ])
        bench.pass(.seconds(600))
        #expect(bench.acks(of: cleaning).last?.stage == .succeeded)
    }

    @Test func cancelCommandEndsItsTargetFirst() throws {
        var bench = try DeviceBench("sweeper-s1")
        let running = try Order("start-cleaning")
        let waiting = try Order("start-cleaning")
        bench.give(running)
        bench.give(waiting)
        let first = bench.give(try Order("cancel-command", ["id": .string(waiting.id.text)]))
        #expect(first.verdicts == ["accepted/OK", "cancelled/CANCELLED", "succeeded/OK"])
        #expect(bench.acks(of: waiting).last?.executions == 0)
        let foreign = try Order(
            "cancel-command", ["id": .string(running.id.text)], from: "ctl-2")
        #expect(bench.give(foreign).verdicts == ["accepted/OK", "failed/WRONG_STATE"])
        let second = bench.give(try Order("cancel-command", ["id": .string(running.id.text)]))
        #expect(second.verdicts == ["accepted/OK", "cancelled/CANCELLED", "succeeded/OK"])
        #expect(second.states.last?.state["activity"] == "idle")
        let again = bench.give(try Order("cancel-command", ["id": .string(running.id.text)]))
        #expect(again.verdicts == ["accepted/OK", "failed/WRONG_STATE"])
    }
}
