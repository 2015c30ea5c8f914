import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults of robots: exact acks, state and events, and their end.
@Suite struct RobotFaultTests {
    /// Model, the action that runs, the fault, its code in the state, the ack and the event.
    struct Case: Sendable, CustomTestStringConvertible {
        let model: String
        let fault: SimulatedFault
        let code: JSONValue
        let verdict: String
        let event: String

        var testDescription: String { "\(model) \(fault.rawValue)" }

        static let all = [
            Case("sweeper-s1", .stuck, "WHEEL_BLOCKED", "failed/STUCK", "stuck"),
            Case("sweeper-s1", .brushBlocked, "BRUSH_BLOCKED", "failed/HARDWARE_FAULT", "fault"),
            Case("sweeper-s1", .binFull, "BIN_FULL", "failed/HARDWARE_FAULT", "fault"),
            Case("sweeper-s1", .hardwareFault, "HARDWARE_FAULT", "failed/HARDWARE_FAULT", "fault"),
            Case(
                "sweeper-pro", .sideBrushBlocked, "SIDE_BRUSH_BLOCKED", "failed/HARDWARE_FAULT",
                "fault"),
            Case("sweeper-s1", .bumperStuck, "BUMPER_STUCK", "failed/STUCK", "stuck"),
            Case("sweeper-s1", .lidarBlocked, "LIDAR_BLOCKED", "failed/HARDWARE_FAULT", "fault"),
            Case("sweeper-s1", .cliff, "CLIFF", "failed/STUCK", "stuck"),
            Case("sweeper-s1", .trapped, "TRAPPED", "failed/STUCK", "stuck"),
            Case("sweeper-s1", .binMissing, "BIN_MISSING", "failed/HARDWARE_FAULT", "fault"),
            Case("sweeper-s1", .filterBlocked, "FILTER_BLOCKED", "failed/HARDWARE_FAULT", "fault"),
            Case("sweeper-s1", .dockNotFound, "DOCK_NOT_FOUND", "failed/HARDWARE_FAULT", "fault"),
            Case(
                "sweeper-s1", .batteryTemperature, "BATTERY_TEMPERATURE",
                "failed/HARDWARE_FAULT", "fault"),
            Case("pool-p1", .stuck, "STUCK", "failed/STUCK", "stuck"),
            Case("pool-c1", .hardwareFault, "HARDWARE_FAULT", "failed/HARDWARE_FAULT", "fault"),
        ]

        init(
            _ model: String, _ fault: SimulatedFault, _ code: JSONValue, _ verdict: String,
            _ event: String
        ) {
            self.model = model
            self.fault = fault
            self.code = code
            self.verdict = verdict
            self.event = event
        }

        func action(at time: Timestamp) throws -> Order {
            model.hasPrefix("pool")
                ? try Order("start-program", ["program": "floor"], at: time)
                : try Order("start-cleaning", at: time)
        }
    }

    @Test(arguments: Case.all)
    func theActionFailsAndNoneBeginsUntilTheEnd(of fault: Case) throws {
        var bench = try DeviceBench(fault.model)
        let order = try fault.action(at: bench.clock.wire)
        bench.give(order)
        bench.pass(.seconds(60))
        let actions = try bench.inject(fault.fault, lasting: .seconds(120))
        let final = try #require(actions.acks.last)
        #expect(actions.verdicts == [fault.verdict] && final.id == order.id)
        #expect(final.revision == actions.states.last?.revision)
        #expect(actions.states.map { $0.state["activity"] } == ["error"])
        #expect(actions.states.map { $0.state["error"] } == [fault.code])
        #expect(actions.eventDetails == [fault.event: ["code": fault.code]])

        let next = bench.give(try fault.action(at: bench.clock.wire))
        #expect(next.verdicts == ["rejected/WRONG_STATE"])
        #expect(try bench.inject(fault.fault, lasting: .seconds(60)).events.isEmpty)
        bench.give(try Order("stop", at: bench.clock.wire), lane: .urgent)
        #expect(bench.state?.state["error"] == fault.code, "stop repairs nothing")

        let end = bench.pass(.seconds(60))
        #expect(end.states.last?.state["error"] == .null)
        #expect(end.states.last?.state["activity"] == "idle")
        let again = bench.give(try fault.action(at: bench.clock.wire))
        #expect(again.verdicts == ["accepted/OK"])
    }

    @Test func whatWaitsInTheLaneFailsWithTheState() throws {
        var bench = try DeviceBench("sweeper-s1")
        let orders = try (0..<2).map { _ in try Order("start-cleaning", valid: .seconds(600)) }
        for order in orders { bench.give(order) }
        let actions = try bench.inject(.stuck)
        #expect(actions.verdicts == ["failed/STUCK", "failed/WRONG_STATE"])
        #expect(actions.acks.map(\.executions) == [1, 0])
    }

    @Test func theFirstOfTwoFaultsIsReportedUntilItEnds() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.stuck)
        try bench.inject(.hardwareFault)
        #expect(bench.state?.state["error"] == "WHEEL_BLOCKED")
        bench.give(.clear(.stuck))
        #expect(bench.state?.state["error"] == "HARDWARE_FAULT")
    }

    @Test func aStuckRobotStaysWhereItIs() throws {
        var bench = try DeviceBench("sweeper-s1", telemetryEvery: .seconds(60))
        bench.give(try Order("start-cleaning"))
        bench.pass(.seconds(60))
        try bench.inject(.stuck)
        bench.log = []
        bench.pass(.seconds(13 * 3600 + 1200))
        let places = Set(bench.log.samples.map { [$0.values["x"], $0.values["y"]] })
        #expect(places.count == 1)
        bench.give(.clear(.stuck))
        bench.pass(.seconds(600))
        #expect(bench.device.activityName == "docked", "its battery is low by now")
    }

    @Test func aLowBatterySendsTheRobotHomeAndHoldsNoMore() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("start-cleaning")
        bench.give(order)
        bench.pass(.seconds(60))
        try bench.inject(.lowBattery, ["percent": 8])
        bench.pass(.seconds(2))
        #expect(bench.log.events == ["low-battery"])
        #expect(bench.state?.state["activity"] == "returning")
        bench.pass(.seconds(2 * 3600))
        #expect(bench.log.samples.last?.values["batteryPercent"] == 8)
        #expect(bench.state?.state["activity"] == "docked" && !bench.acks(of: order).isFinal)
        bench.give(.clear(.lowBattery))
        bench.pass(.seconds(6 * 3600))
        #expect(bench.acks(of: order).last?.verdict == "succeeded/OK")
    }

    @Test func aFullBinIsFullAndEmptyAtTheEnd() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.binFull)
        bench.pass(.seconds(6))
        #expect(bench.log.samples.last?.values["dustbinPercent"] == 100)
        bench.give(.clear(.binFull))
        bench.pass(.seconds(6))
        #expect(bench.log.samples.last?.values["dustbinPercent"] == 0)
    }

    @Test(arguments: ["pool-p1", "pool-c1"])
    func aRobotOutOfTheWaterStaysThereUntilTheEnd(_ model: String) throws {
        var bench = try DeviceBench(model)
        let order = try Order("start-program", ["program": "floor"])
        bench.give(order)
        bench.pass(.seconds(60))
        #expect(try bench.inject(.outOfWater).states.last?.state["inWater"] == false)
        bench.pass(.seconds(32))
        #expect(bench.acks(of: order).last?.verdict == "failed/HARDWARE_FAULT")
        #expect(bench.state?.state["error"] == "OUT_OF_WATER")
        #expect(bench.log.events == ["out-of-water"])
        bench.pass(.seconds(8 * 3600))
        #expect(bench.state?.state["inWater"] == false)
        let end = bench.give(.clear(.outOfWater))
        #expect(end.states.last?.state["inWater"] == true)
        #expect(end.states.last?.state["error"] == .null)
    }

    @Test func aStuckPoolRobotKeepsNoSchedule() throws {
        var bench = try DeviceBench("pool-p1")
        // The bench starts on a Saturday at 11:00 of the homes' clock.
        let entries: JSONValue = [["weekday": 6, "at": "11:05", "program": "floor"]]
        bench.give(try Order("set-schedule", ["entries": entries]))
        try bench.inject(.stuck, lasting: .seconds(900))
        bench.pass(.seconds(1200))
        #expect(bench.state?.state["activity"] == "idle" && bench.state?.state["program"] == .null)
    }

    /// The simulator was killed: the fault is gone with it.
    @Test(arguments: ["sweeper-s1", "pool-p1"])
    func aKilledSimulatorTakesItsFaultsWithIt(_ model: String) throws {
        var bench = try DeviceBench(model)
        try bench.inject(.stuck)
        try bench.restart()
        #expect(bench.state?.state["error"] == .null)
    }
}

extension [AckMessage] {
    /// Whether the last one is final.
    fileprivate var isFinal: Bool { last?.isFinal ?? false }
}

extension [DeviceAction] {
    /// The details of the events that were published, by name.
    var eventDetails: [String: JSONObject] {
        var details: [String: JSONObject] = [:]
        for case .publish(.event(let event), _) in self { details[event.event.text] = event.detail }
        return details
    }
}
