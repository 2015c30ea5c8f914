import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The sweeping robot's drives, battery, bin and wear.
@Suite struct SweepingTests {
    @Test(arguments: FloorTemplate.all.indices)
    func whatHoldsForAnyCommandsHolds(_ template: Int) {
        for seed in 1...2 as ClosedRange<UInt64> {
            let life = SweeperLife(
                seed == 1 ? .s1 : .pro, on: TestFloors.floor(template),
                seed: seed + 10 * UInt64(template))
            #expect(life.findings == [])
        }
    }

    /// Steps of a second, of a minute, and at instants of samples in between give the same bytes.
    @Test(arguments: [[1.0], [60], [0.437, 0.563], [2.5, 0.001, 1.499], [7, 0.2]])
    func theResultDependsOnInstantsNotOnSteps(steps: [Double]) throws {
        var (one, other) = (SweeperWalker(seed: 3), SweeperWalker(seed: 3))
        for walker in 0...1 {
            var walk = walker == 0 ? one : other
            let parts = walker == 0 ? [1.0] : steps
            walk.behaviour.level = .max
            walk.begin(.startCleaning, ["passes": 2])
            var index = 0
            for until in [600.0, 1200, 8400] {
                while walk.seconds < until {
                    walk.step(min(parts[index % parts.count], until - walk.seconds))
                    index += 1
                }
                if until == 600 { walk.perform(.pause) }
                if until == 1200 { walk.perform(.resume) }
            }
            if walker == 0 { one = walk } else { other = walk }
        }
        #expect(one.behaviour.memory == other.behaviour.memory)
        #expect(one.behaviour.telemetry == other.behaviour.telemetry)
        #expect(one.behaviour.controlled == other.behaviour.controlled)
        #expect(one.happened == other.happened)
        #expect(one.events.contains("low-battery"))
    }

    @Test func strongerSuctionAndCarpetsDrainFaster() {
        var drained: [Double] = []
        for level in SweepingRobot.SuctionLevel.allCases {
            var walker = SweeperWalker()
            walker.behaviour.level = level
            walker.begin(.startCleaning, ["rooms": [4]])
            walker.step(200)
            drained.append(37.4 - walker.behaviour.battery.energyWh)
        }
        #expect(drained == drained.sorted() && Set(drained).count == 4)
        // 12 W and 18 W of the fan, for the whole of the job.
        #expect((drained[1] - 200.0 / 3600 * 30).magnitude < 0.02)
        let robot = SweeperSpecification.s1
        let ratio =
            robot.cleaningW(.turbo, carpetShare: 1) / robot.cleaningW(.turbo, carpetShare: 0)
        #expect((ratio - 1.3).magnitude < 1e-9)
        var walker = SweeperWalker()
        walker.begin(.startCleaning, ["rooms": [2]])
        walker.finish()
        let perHour =
            (37.4 - walker.behaviour.battery.energyWh) / walker.behaviour.cleaningSeconds * 3600
        #expect(perHour > 30.5 && perHour < 39, "carpets are part of the room: \(perHour) W")
    }

    @Test func lowBatteryReturnsChargesAndResumesTheCleaning() throws {
        var walker = SweeperWalker(seed: 4)
        walker.behaviour.level = .max
        walker.begin(.startCleaning, ["passes": 2])
        let cells = try #require(walker.behaviour.activity.job).cells
        var chargeAtResume = 0.0
        var lowest = 100.0
        while walker.result == nil, walker.seconds < 60_000 {
            let before = walker.behaviour
            walker.step(1)
            lowest = min(lowest, walker.behaviour.battery.percent)
            if case .docked(.some) = before.activity, case .cleaning = walker.behaviour.activity {
                chargeAtResume = walker.behaviour.battery.percent
            }
        }
        #expect(lowest > 5 && lowest < 10 && chargeAtResume > 64 && chargeAtResume < 66)
        #expect((walker.behaviour.cleanedCells - Double(cells)).magnitude < 1e-6)
        #expect(walker.events.contains("low-battery"))
    }

    @Test(arguments: [9.5, 11])
    func pauseHoldsWithALowBatteryAndResumeGoesToCharge(_ percent: Double) throws {
        var walker = SweeperWalker(seed: 4)
        walker.begin(.startCleaning, ["passes": 2])
        walker.step(300)
        walker.behaviour.battery.restore(percent: percent)
        walker.perform(.pause)
        let place = walker.behaviour.pose
        for _ in 0..<30 { walker.step(60) }
        #expect(walker.behaviour.activity.reported == .paused)
        #expect(walker.behaviour.pose == place && walker.behaviour.battery.percent < percent)
        #expect(walker.happened.isEmpty)
        walker.behaviour.battery.restore(percent: 9.5)
        walker.perform(.resume)
        walker.step(2)
        #expect(walker.behaviour.activity.reported == .returning)
        #expect(walker.result == nil, "the cleaning goes on after the charge")
    }

    @Test func anEmptyRobotOffItsDockSwitchesItselfOffUntilItIsFound() throws {
        var walker = SweeperWalker()
        walker.begin(.startCleaning)
        walker.step(300)
        walker.perform(.pause)
        walker.behaviour.battery.restore(percent: 5.1)
        #expect(!walker.behaviour.isPoweredOff)
        while !walker.behaviour.isPoweredOff, walker.seconds < 7200 { walker.step(10) }
        #expect(walker.behaviour.isPoweredOff)
        guard case .failed(let code, _) = try #require(walker.result) else {
            Issue.record("the cleaning has not failed")
            return
        }
        #expect(code == .lowBattery)
        let (charge, place) = (walker.behaviour.battery.energyWh, walker.behaviour.pose)
        for _ in 0..<470 { walker.step(60) }
        #expect(walker.behaviour.isPoweredOff && walker.behaviour.pose == place)
        #expect(walker.behaviour.battery.energyWh == charge)
        let start = BehaviourRequest(.startCleaning)
        #expect(walker.behaviour.stateRefusal(of: start, running: nil)?.code == .notReady)
        var again = walker.behaviour
        again.restore(controlled: [:], memory: walker.behaviour.remembered)
        #expect(again.isPoweredOff, "a restart of the simulator charges nobody")
        for _ in 0..<20 { walker.step(60) }
        #expect(walker.behaviour.activity.isDocked && walker.behaviour.isCharging)
    }

    @Test(arguments: [(14.0, true), (16, false)])
    func aStartNeedsACharge(percent: Double, isRefused: Bool) throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.lowBattery, ["percent": .number(percent)])
        for name in ["start-cleaning", "clean-spot"] {
            let arguments: JSONObject = name == "clean-spot" ? ["x": 5, "y": 4] : [:]
            let answer = bench.give(try Order(name, arguments))
            #expect(answer.verdicts.first == (isRefused ? "rejected/NOT_READY" : "accepted/OK"))
        }
    }

    @Test func aFullBinStopsTheRobotAndTheStationOfTheProEmptiesIt() throws {
        for robot in [SweeperSpecification.s1, .pro] {
            var walker = SweeperWalker(robot)
            walker.behaviour.dustbinPercent = 99
            walker.begin(.startCleaning)
            walker.finish()
            #expect(walker.behaviour.blockages.code == "BIN_FULL")
            #expect(walker.behaviour.reportedActivity == .error && walker.events == ["fault"])
            let clean = BehaviourRequest(.startCleaning)
            #expect(walker.behaviour.stateRefusal(of: clean, running: nil)?.code == .wrongState)
            let home = BehaviourRequest(.returnToDock)
            #expect(walker.behaviour.stateRefusal(of: home, running: nil) == nil)
            walker.begin(.returnToDock)
            #expect(walker.behaviour.reportedActivity == .returning)
            walker.goHome()
            #expect(walker.behaviour.blockages.code == (robot.emptiesItself ? nil : "BIN_FULL"))
            #expect(walker.behaviour.dustbinPercent == (robot.emptiesItself ? 0 : 100))
            #expect(walker.behaviour.ownFaults == (robot.emptiesItself ? [] : [.binFull]))
            walker.behaviour.end(fault: .binFull, noting: &walker.happened)
            #expect(walker.behaviour.blockages.code == nil && walker.behaviour.dustbinPercent == 0)
        }
    }

    /// Nobody has injected it, and it ends as if somebody had.
    @Test func aBinThatDustHasFilledIsEmptiedByTheEndOfTheFault() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.journal.apply(.memory(Array(#"{"dustbinPercent":99.9}"#.utf8)))
        try bench.restart()
        let order = try Order("start-cleaning")
        bench.give(order)
        bench.pass(.seconds(400))
        #expect(bench.acks(of: order).last?.verdict == "failed/HARDWARE_FAULT")
        #expect(bench.state?.state["error"] == "BIN_FULL")
        bench.give(.clear(.binFull))
        #expect(bench.state?.state["error"] == .null)
    }

    @Test func dustFillsTheBinByTheFloor() {
        var walker = SweeperWalker()
        walker.begin(.startCleaning, ["rooms": [5]])
        walker.finish()
        let area = walker.behaviour.cleanedAreaM2
        #expect(area > 1.5)
        #expect((walker.behaviour.dustbinPercent - area * 0.4).magnitude < 1e-6)
    }

    @Test func partsWearWhileItWorksAlone() throws {
        var walker = SweeperWalker()
        func minutes(_ signal: Signal) -> Double {
            walker.behaviour.telemetry[signal]?.number ?? -1
        }
        let lives: [(Signal, Double)] = [
            (.mainBrushMinutes, 300), (.sideBrushMinutes, 200), (.filterMinutes, 150),
            (.sensorMinutes, 30),
        ]
        for (part, hours) in lives { #expect(minutes(part) == hours * 60) }
        walker.begin(.moveTo, ["x": 6.5, "y": 4])
        walker.finish()
        #expect(minutes(.sensorMinutes) == 1800)
        walker.happened = []
        walker.begin(.startCleaning, ["rooms": [4]])
        walker.step(180)
        for (part, hours) in lives { #expect(minutes(part) == hours * 60 - 3) }
        walker.behaviour.workedMilliseconds = 31 * 3_600_000
        #expect(minutes(.sensorMinutes) == 0)
    }

    @Test func aDriveToAPointIsMovingAndEndsThere() throws {
        var bench = try DeviceBench("sweeper-s1")
        let floor = try #require(bench.device.behaviour as? SweepingBehaviour).floor
        let goal = try #require(floor.standingPoint(near: PlanPoint(x: 3.2, y: 3.8)))
        bench.give(
            try Order("move-to", ["x": .number(goal.x), "y": .number(goal.y)]))
        bench.pass(.seconds(2))
        #expect(bench.state?.state["activity"] == "moving")
        bench.pass(.seconds(120))
        let sample = try #require(bench.log.samples.last)
        #expect(sample.values["x"] == .number(goal.x) && sample.values["y"] == .number(goal.y))
        #expect(bench.state?.state["activity"] == "idle")
    }

    @Test func aPointInFurnitureIsTakenAndOneToKeepOutOfIsRefused() throws {
        for template in FloorTemplate.all.indices {
            let floor = TestFloors.floor(template)
            var walker = SweeperWalker(on: floor)
            let solid = floor.plan.obstacles[0].bounds
            let inside = PlanPoint(
                x: (solid.x.lowerBound + solid.x.upperBound) / 2,
                y: (solid.y.lowerBound + solid.y.upperBound) / 2)
            let point: JSONObject = ["x": .number(inside.x), "y": .number(inside.y)]
            try walker.behaviour.checkArguments(BehaviourRequest(.moveTo, point))
            walker.begin(.moveTo, point)
            walker.finish()
            let end = walker.behaviour.pose.position
            #expect(walker.result == .succeeded(result: [:]))
            let nearest =
                (0..<floor.grid.count).map(floor.grid.cell).filter(floor.grid.isFree)
                .map { floor.grid.middle($0).distance(to: inside) }.min() ?? 0
            #expect(end.distance(to: inside) <= nearest + 1e-6)

            let forbidden = floor.plan.noGo[0].bounds
            let there: JSONObject = [
                "x": .number((forbidden.x.lowerBound + forbidden.x.upperBound) / 2),
                "y": .number((forbidden.y.lowerBound + forbidden.y.upperBound) / 2),
            ]
            for name in [CommandName.moveTo, .cleanSpot] {
                let violation = #expect(throws: ArgumentViolation.self) {
                    try walker.behaviour.checkArguments(BehaviourRequest(name, there))
                }
                #expect(violation?.reason.contains("nearest free point is x=") == true)
            }
            let outside = BehaviourRequest(.moveTo, ["x": -1, "y": 1])
            #expect(throws: ArgumentViolation.self) {
                try walker.behaviour.checkArguments(outside)
            }
        }
    }

    @Test func withoutAWayItIsTrappedAndFindsNoDock() throws {
        var walker = SweeperWalker()
        walker.begin(.moveTo, ["x": 6.5, "y": 4])
        walker.finish()
        var blocked = CellSet(count: walker.behaviour.floor.grid.count)
        for index in 0..<walker.behaviour.floor.grid.count { blocked.set(index, true) }
        walker.behaviour.blockedCells = blocked
        var lost = walker
        walker.begin(.moveTo, ["x": 1, "y": 1])
        #expect(walker.behaviour.blockages.code == "TRAPPED" && walker.events.last == "stuck")
        lost.begin(.returnToDock)
        #expect(lost.behaviour.blockages.code == "DOCK_NOT_FOUND" && lost.events.last == "fault")
        lost.behaviour.blockedCells = nil
        lost.behaviour.end(fault: .dockNotFound, noting: &lost.happened)
        lost.begin(.returnToDock)
        lost.goHome()
        #expect(lost.behaviour.activity.isDocked)
    }

    /// After a clean end, and after a `kill -9` that comes right after a sample.
    @Test(arguments: [true, false])
    func restartedRobotStandsWhereItStood(isCleanEnd: Bool) throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning"))
        bench.pass(.seconds(903))
        if isCleanEnd { bench.give(.shutDown) }
        let before = try #require(bench.log.samples.last?.values)
        bench.log = []
        try bench.restart()
        #expect(bench.state?.state["activity"] == "idle")
        #expect(bench.log.acks.map(\.verdict) == ["failed/INTERRUPTED"])
        bench.pass(.seconds(6))
        let after = try #require(bench.log.samples.first?.values)
        // It drove on for less than an interval that nobody saw.
        for member in ["x", "y"] {
            let (old, new) = (before[member]?.number ?? -1, after[member]?.number ?? -2)
            #expect((old - new).magnitude <= (isCleanEnd ? 1.5 : 0), "\(member): \(old) \(new)")
        }
        let charges = [before, after].compactMap { $0["batteryPercent"]?.number }
        #expect(charges[0] < 90 && charges[0] - charges[1] <= (isCleanEnd ? 1 : 0))
        #expect(charges[1] <= charges[0])
        #expect(after["cleanedAreaM2"]?.number ?? 0 >= before["cleanedAreaM2"]?.number ?? 1)
        #expect(after["sensorMinutes"]?.number ?? 0 <= before["sensorMinutes"]?.number ?? -1)
    }

    @Test func whatARobotHasCountedIsNotTakenBackByARestart() {
        var walker = SweeperWalker()
        walker.begin(.startCleaning)
        let parts: [Signal] = [
            .mainBrushMinutes, .sideBrushMinutes, .filterMinutes, .sensorMinutes,
        ]
        for _ in 0..<300 {
            walker.step(0.7)
            var next = SweeperWalker()
            next.behaviour.restore(
                controlled: walker.behaviour.controlled, memory: walker.behaviour.remembered)
            let (before, after) = (walker.behaviour.telemetry, next.behaviour.telemetry)
            for part in parts { #expect(after[part]?.number == before[part]?.number) }
            for count in [Signal.cleanedAreaM2, .cleaningSeconds, .dustbinPercent] {
                #expect(after[count]?.number ?? -1 >= before[count]?.number ?? 0)
            }
        }
    }

    @Test func restartedRobotThatStoodOnItsDockIsThereAndCharges() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("move-to", ["x": 3.2, "y": 3.8]))
        bench.pass(.seconds(120))
        bench.give(try Order("return-to-dock", at: bench.clock.wire))
        bench.pass(.seconds(120))
        #expect(bench.state?.state["activity"] == "docked")
        try bench.restart()
        #expect(bench.state?.state["activity"] == "docked")
        // With a fault its activity is an error, and it is on its dock all the same.
        try bench.inject(.lowBattery, ["percent": 50])
        bench.give(.clear(.lowBattery))
        try bench.inject(.brushBlocked)
        bench.pass(.seconds(10))
        try bench.restart()
        #expect(bench.state?.state["activity"] == "docked")
        #expect(bench.state?.state["isCharging"] == true)
    }
}
