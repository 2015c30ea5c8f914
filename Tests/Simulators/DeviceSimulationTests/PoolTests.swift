import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The commands of a pool robot: programs, surfacing, the schedule, the desired document.
@Suite struct PoolTests {
    @Test func programRunsForItsTimeAndCountsDown() throws {
        var bench = try DeviceBench("pool-p1")
        let order = try Order("start-program", ["program": "floor"])
        bench.give(order)
        #expect(bench.state?.state["program"] == "floor")
        #expect(bench.state?.state["remainingMinutes"] == 60)
        // Measured members come at most every 30 s.
        bench.pass(.seconds(1835))
        #expect(bench.state?.state["remainingMinutes"] == 30)
        bench.pass(.seconds(1760))
        #expect(bench.acks(of: order).last?.stage == .progress)
        bench.pass(.seconds(10))
        #expect(bench.acks(of: order).last?.stage == .succeeded)
        #expect(bench.state?.state["program"] == .null)
        #expect(bench.state?.state["remainingMinutes"] == .null)
        #expect(bench.log.events == ["program-finished"])
    }

    @Test func surfaceSupersedesTheProgramAndEndsAtTheSurface() throws {
        var bench = try DeviceBench("pool-p1")
        let program = try Order("start-program", ["program": "floor"])
        bench.give(program)
        bench.give(try Order("start-program", ["program": "walls"], valid: .seconds(3_600)))
        bench.pass(.seconds(60))
        let surface = try Order("surface", at: bench.clock.wire)
        #expect(
            bench.give(surface, lane: .urgent).verdicts == [
                "accepted/OK", "superseded/SUPERSEDED", "superseded/SUPERSEDED",
            ])
        #expect(bench.state?.state["activity"] == "surfacing")
        bench.pass(.seconds(90))
        #expect(bench.acks(of: surface).last?.stage == .succeeded)
        #expect(bench.state?.state["activity"] == "idle")
        let depth = try #require(bench.log.samples.last?.values["depthM"]?.number)
        #expect(depth < 0.3, "it holds itself at the waterline for its owner")
        #expect(
            bench.give(try Order("surface", at: bench.clock.wire)).verdicts == [
                "accepted/OK", "succeeded/OK",
            ])
        bench.pass(.seconds(400))
        let later = try #require(bench.log.samples.last?.values["depthM"]?.number)
        #expect(later > 0.6, "with its motors off it sinks")
        #expect(bench.log.samples.last?.values["motorCurrentA"] == 0)
    }

    @Test func aPausedRobotSinksAndGoesOnFromTheFloor() throws {
        var bench = try DeviceBench("pool-c1")
        bench.give(try Order("start-program", ["program": "waterline"], valid: .seconds(600)))
        bench.pass(.seconds(150))
        bench.give(try Order("pause", at: bench.clock.wire), lane: .urgent)
        bench.pass(.seconds(30))
        let paused = try #require(bench.log.samples.last?.values)
        #expect(paused["motorCurrentA"] == 0 && (paused["depthM"]?.number ?? 0) > 0.6)
        #expect(bench.state?.state["activity"] == "paused")
        bench.give(try Order("resume", at: bench.clock.wire))
        bench.pass(.seconds(30))
        #expect((bench.log.samples.last?.values["motorCurrentA"]?.number ?? 0) > 1)
    }

    /// A robot that comes up, and stays where it was last seen over a restart.
    @Test func aRestartedRobotStandsWhereItWas() throws {
        var bench = try DeviceBench("pool-p1")
        bench.give(try Order("start-program", ["program": "floor"]))
        bench.pass(.seconds(300))
        let before = try #require(bench.device.behaviour as? PoolBehaviour).drive
        try bench.restart()
        let after = try #require(bench.device.behaviour as? PoolBehaviour).drive
        let way = PoolVector(
            x: after.place.x - before.place.x, y: after.place.y - before.place.y)
        // Recorded with the last sample, at most 5 s ago.
        #expect(way.length < 5 * 0.3)
        #expect(after.place != PoolDrive(in: try PoolBench().behaviour.site).place)
        #expect(bench.state?.state["activity"] == "idle")
    }

    @Test func scheduleStartsAProgramByItself() throws {
        var bench = try DeviceBench("pool-p1")
        // The bench's clock starts on Saturday, 2025-06-21, at 12:00 Central European Time less 1 h.
        let entries: JSONValue = [["weekday": 6, "at": "11:05", "program": "walls"]]
        let set = bench.give(try Order("set-schedule", ["entries": entries]))
        #expect(set.acks.last?.result["previous"] == [])
        bench.pass(.seconds(299))
        #expect(bench.device.activityName == "idle")
        bench.pass(.seconds(62))
        #expect(bench.state?.state["program"] == "walls")
        #expect(bench.state?.by == nil)
        let start = try Order("start-program", ["program": "floor"], at: bench.clock.wire)
        #expect(bench.give(start).verdicts == ["rejected/BUSY"])
        bench.pass(.seconds(90 * 60))
        #expect(bench.log.events == ["program-finished"])
        #expect(bench.device.activityName == "idle")
    }

    @Test func desiredDocumentIsAppliedOncePerRevision() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "floor"]
        let document = try desired(7, ["schedule": [entry], "other": 1])
        let actions = bench.give(.desired(payload: document))
        #expect(actions.outline == ["record state", "state 2"])
        let state = try #require(bench.state)
        #expect(state.state["settings"] == ["schedule": [entry]] && state.by == nil)
        #expect(state.state["desiredRevision"] == 7)
        bench.give(try Order("set-schedule", ["entries": []]))
        #expect(bench.give(.desired(payload: document)).isEmpty, "the same revision is no news")
        try bench.restart()
        #expect(bench.give(.desired(payload: document)).isEmpty)
        #expect(bench.state?.state["settings"] == ["schedule": []])
        #expect(
            bench.give(.desired(payload: try desired(8, ["schedule": [entry]]))).states.count == 1)
    }

    @Test func olderDesiredDocumentIsIgnored() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "floor"]
        bench.give(.desired(payload: try desired(7, ["schedule": [entry]])))
        #expect(bench.give(.desired(payload: try desired(6, ["schedule": []]))).isEmpty)
        #expect(bench.state?.state["settings"] == ["schedule": [entry]])
        #expect(bench.state?.state["desiredRevision"] == 7)
    }

    @Test func desiredDocumentChangesOnlyWhatItNames() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "floor"]
        bench.give(try Order("set-schedule", ["entries": [entry]]))
        let revision = bench.state?.revision ?? 0
        bench.give(.desired(payload: try desired(3, ["other": 1])))
        #expect(bench.state?.state["settings"] == ["schedule": [entry]])
        #expect(bench.state?.state["desiredRevision"] == 3)
        #expect(bench.state?.revision == revision + 1, "the applied revision is controlled")
    }

    @Test func desiredDocumentOutlivesACrashBetweenJournalAndState() throws {
        var bench = try DeviceBench("pool-p1")
        let entry: JSONValue = ["weekday": 1, "at": "09:30", "program": "floor"]
        let document = try desired(7, ["schedule": [entry]])
        let actions = bench.give(.desired(payload: document))
        #expect(actions.outline == ["record state", "state 2"], "the journal comes first")
        try bench.restart()
        #expect(bench.state?.state["settings"] == ["schedule": [entry]])
        #expect(bench.state?.state["desiredRevision"] == 7)
        #expect(bench.give(.desired(payload: document)).isEmpty)
    }

    @Test func unreadableDesiredDocumentIsCounted() throws {
        var bench = try DeviceBench("pool-p1")
        #expect(bench.give(.desired(payload: [])).isEmpty)
        for payload in [
            Array("{".utf8), try desired(7, ["schedule": [["weekday": 8]]]),
            try desired(7, ["schedule": [:]]), try desired(7, [:], device: "other"),
        ] {
            #expect(bench.give(.desired(payload: payload)).outline == ["count unreadable-desired"])
        }
        #expect(bench.state?.state["desiredRevision"] == 0)
    }

    private func desired(
        _ revision: Int, _ settings: JSONObject, device: String = "robot-1"
    ) throws -> [UInt8] {
        DesiredMessage(
            device: try DeviceID(device), revision: revision, at: BenchClock().wire,
            settings: settings
        ).payload
    }
}
