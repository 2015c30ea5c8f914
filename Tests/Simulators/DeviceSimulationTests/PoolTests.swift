import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The pool robot: programs, dives, the filter, the schedule, the water.
@Suite struct PoolTests {
    @Test func programRunsForItsTimeAndCountsDown() throws {
        var bench = try DeviceBench("pool-p1")
        let order = try Order("start-program", ["program": "floor"])
        bench.give(order)
        #expect(bench.state?.state["program"] == "floor")
        #expect(bench.state?.state["remainingMinutes"] == 60)
        bench.pass(.seconds(1805))
        #expect(bench.state?.state["remainingMinutes"] == 30)
        bench.pass(.seconds(1790))
        #expect(bench.acks(of: order).last?.stage == .progress)
        bench.pass(.seconds(10))
        #expect(bench.acks(of: order).last?.stage == .succeeded)
        #expect(bench.state?.state["program"] == .null)
        #expect(bench.state?.state["remainingMinutes"] == .null)
        #expect(bench.log.events == ["program-finished"])
    }

    @Test(arguments: PoolRobot.Program.allCases)
    func depthIsContinuousAndTheCurrentFollowsTheLevel(_ program: PoolRobot.Program) throws {
        var pool = Pool()
        pool.behaviour.begin(
            action: BehaviourRequest(.startProgram, ["program": .string(program.rawValue)]),
            noting: &pool.happened)
        var tilts: Set<Int> = []
        var deepest = 0.0
        while pool.happened.isEmpty {
            let before = pool.behaviour.dive.depthM
            pool.step(1)
            let depth = pool.behaviour.dive.depthM
            #expect((depth - before).magnitude <= PoolConstants.climbSpeed + 1e-9)
            deepest = max(deepest, depth)
            tilts.insert(Int(pool.behaviour.dive.tiltDeg))
            #expect(pool.happened.isEmpty ? pool.behaviour.motorCurrentA > 2.2 : true)
        }
        #expect(deepest > 1 && deepest < 2)
        #expect(tilts.contains(90) == [.walls, .full].contains(program))
        #expect(pool.seconds == pool.behaviour.model.seconds(of: program))
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
        bench.pass(.seconds(40))
        #expect(bench.acks(of: surface).last?.stage == .succeeded)
        #expect(bench.log.samples.last?.values["depthM"] == 0.05)
        #expect(
            bench.give(try Order("surface", at: bench.clock.wire)).verdicts == [
                "accepted/OK", "succeeded/OK",
            ])
    }

    @Test func filterClogsAndIsReportedOnce() {
        var pool = Pool()
        pool.behaviour.filterPercent = 94.9
        pool.behaviour.start(.floor, isAction: true)
        while pool.behaviour.run != nil { pool.step(1) }
        #expect(pool.happened.compactMap(\.eventName) == ["filter-full", "program-finished"])
        #expect(pool.behaviour.filterPercent == 0, "the owner empties it")
    }

    @Test func pumpOutOfTheWaterGivesUpAfterThirtySeconds() {
        var pool = Pool()
        pool.behaviour.start(.floor, isAction: true)
        pool.step(10)
        pool.behaviour.place(inWater: false)
        pool.step(30)
        #expect(pool.happened.isEmpty)
        pool.step(1)
        #expect(pool.behaviour.fault == "OUT_OF_WATER")
        #expect(pool.happened.contains { $0.eventName == "out-of-water" })
        guard case .actionEnded(.failed(let code, _))? = pool.happened.first else {
            Issue.record("the action has not ended")
            return
        }
        #expect(code == .hardwareFault)
        let start = BehaviourRequest(.startProgram, ["program": "floor"])
        #expect(pool.behaviour.stateRefusal(of: start, running: nil)?.code == .wrongState)
        #expect(pool.behaviour.safetyRefusal(of: start)?.code == .unsafe)
        pool.behaviour.interrupt(noting: &pool.happened)
        #expect(pool.behaviour.fault != nil, "stop clears it in the water only")
        pool.behaviour.place(inWater: true)
        pool.behaviour.interrupt(noting: &pool.happened)
        #expect(pool.behaviour.stateRefusal(of: start, running: nil) == nil)
    }

    @Test func cordlessRobotGivesUpSurfacesAndIsCharged() throws {
        var pool = Pool(model: .c1)
        pool.behaviour.level = .boost
        pool.behaviour.battery?.restore(percent: 40)
        pool.behaviour.start(.full, isAction: true)
        while pool.behaviour.run != nil, pool.seconds < 20_000 { pool.step(1) }
        guard case .actionEnded(.failed(let code, _))? = pool.happened.first else {
            Issue.record("the action has not failed")
            return
        }
        #expect(code == .lowBattery)
        pool.step(60)
        #expect(pool.behaviour.dive.isAtSurface && pool.behaviour.isInWater)
        for _ in 0..<20 { pool.step(60) }
        #expect(!pool.behaviour.isInWater)
        for _ in 0..<240 { pool.step(60) }
        #expect(pool.behaviour.isInWater && (pool.behaviour.battery?.percent ?? 0) > 99)
    }

    @Test(arguments: PoolRobot.PowerLevel.allCases)
    func cordlessRobotFinishesTheLongestProgramOnOneCharge(_ level: PoolRobot.PowerLevel) {
        var pool = Pool(model: .c1)
        pool.behaviour.level = level
        pool.behaviour.filterPercent = 90
        pool.behaviour.start(.full, isAction: true)
        while pool.behaviour.run != nil, pool.seconds < 20_000 { pool.step(1) }
        #expect(pool.happened.compactMap(\.eventName).last == "program-finished")
        guard case .actionEnded(.succeeded)? = pool.happened.first(where: \.isEnd) else {
            Issue.record("the action has not succeeded")
            return
        }
    }

    @Test(arguments: [false, true])
    func tetheredRobotOutOfTheWaterIsPutBack(afterAFault: Bool) {
        var pool = Pool()
        if afterAFault { pool.behaviour.start(.floor, isAction: true) }
        pool.behaviour.place(inWater: false)
        if afterAFault {
            pool.step(31)
            #expect(pool.behaviour.fault == "OUT_OF_WATER")
        }
        pool.step(PoolConstants.ownerDelaySeconds - 60)
        #expect(!pool.behaviour.isInWater)
        pool.step(60)
        #expect(pool.behaviour.isInWater)
        pool.behaviour.interrupt(noting: &pool.happened)
        #expect(pool.behaviour.fault == nil)
    }

    @Test func waterFollowsTheDay() {
        let water = WaterTemperature(meanC: 25)
        let day = (0..<24).map { water.celsius(at: Timestamp(milliseconds: $0 * 3_600_000)) }
        #expect(day.max() == day[21] && day.min() == day[9])
        #expect((25.8 - (day.max() ?? 0)).magnitude < 1e-9)
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

/// A pool robot without rules around it.
private struct Pool {
    var behaviour: PoolBehaviour
    var happened: [BehaviourOccurrence] = []
    var seconds = 0.0

    init(model: PoolModel = .p1) {
        behaviour = PoolBehaviour(model: model, meanC: 25, at: BenchClock().world)
    }

    mutating func step(_ time: Double) {
        seconds += time
        let end = BenchClock().world.advanced(by: .milliseconds(Int(seconds * 1000)))
        behaviour.step(WorldSpan(end: end, seconds: time), noting: &happened)
    }
}

extension BehaviourOccurrence {
    /// Whether an action ended.
    fileprivate var isEnd: Bool { if case .actionEnded = self { true } else { false } }
}
