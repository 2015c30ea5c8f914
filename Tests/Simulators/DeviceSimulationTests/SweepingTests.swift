import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The sweeping robot's floor, drives, battery and bin.
@Suite struct SweepingTests {
    @Test func planIsTiledByItsRooms() {
        let plan = FloorPlan.standard
        #expect(plan.outline.roomIDs == [1, 2, 3, 4, 5, 6])
        let outline = plan.outline
        let area = outline.x.upperBound * outline.y.upperBound
        #expect((plan.rooms.map(\.area).reduce(0, +) - area).magnitude < 1e-9)
        #expect(plan.room(at: plan.dock)?.id == 1)
    }

    @Test func whatTheRobotDescribesIsItsPlan() throws {
        let plan = FloorPlan.standard
        let described = try #require(plan.described)
        #expect(described.rooms.map(\.id) == plan.outline.roomIDs)
        #expect(described.rooms.map(\.name).first == "Hall")
        #expect(described.dock?.position == (try FloorPosition(x: plan.dock.x, y: plan.dock.y)))
        for (room, other) in zip(plan.rooms, described.rooms) {
            let corners = other.shape.corners.map { PlanPoint(x: $0.x, y: $0.y) }
            #expect(corners.allSatisfy(room.contains) && corners[0] != corners[2])
            #expect(other.doors.count == (room.door == nil ? 0 : 1))
        }
    }

    @Test func everyWayLeadsThroughFreeSpace() {
        let plan = FloorPlan.standard
        let points = plan.rooms.map { room in
            PlanPoint(
                x: (room.x.lowerBound + room.x.upperBound) / 2,
                y: (room.y.lowerBound + room.y.upperBound) / 2)
        }
        for start in points {
            for goal in points {
                let corners = [start] + plan.route(from: start, to: goal)
                #expect(corners.last == goal)
                for (from, to) in zip(corners, corners.dropFirst()) {
                    let isWithinOneRoom = plan.rooms.contains {
                        $0.contains(from) && $0.contains(to)
                    }
                    #expect(isWithinOneRoom, "\(from) to \(to)")
                }
            }
        }
    }

    @Test(arguments: [UInt64](1...6))
    func robotDrivesAndNeverJumps(_ seed: UInt64) throws {
        var walker = Walker(seed: seed)
        walker.behaviour.begin(
            action: BehaviourRequest(.startCleaning, ["rooms": [3, 5]]), noting: &walker.happened)
        var last = walker.behaviour.position
        while walker.result == nil, walker.seconds < 7200 {
            walker.step(1)
            let position = walker.behaviour.position
            #expect(last.distance(to: position) <= SweepingPlanner.travelSpeed + 1e-9)
            #expect(FloorPlan.standard.room(at: position) != nil)
            last = position
        }
        let area = FloorPlan.standard.rooms.filter { [3, 5].contains($0.id) }.map(\.area)
        #expect((walker.behaviour.cleanedAreaM2 - area.reduce(0, +)).magnitude < 1e-6)
        #expect(walker.happened.contains { $0.eventName == "cleaning-finished" })
    }

    @Test(arguments: [UInt64](1...12))
    func coverageStaysWithinRecordedCleanings(_ seed: UInt64) throws {
        var walker = Walker(seed: seed, model: .pro)
        walker.behaviour.begin(action: BehaviourRequest(.startCleaning), noting: &walker.happened)
        while walker.result == nil, walker.seconds < 4 * 3600 { walker.step(5) }
        let perMinute = walker.behaviour.cleanedAreaM2 / walker.seconds * 60
        #expect((0.84...1.05).contains(perMinute), "\(perMinute)")
        #expect((walker.behaviour.cleanedAreaM2 - 49.6).magnitude < 1e-6)
    }

    @Test func strongerSuctionDrainsFaster() {
        var drained: [Double] = []
        for level in SweepingRobot.SuctionLevel.allCases {
            var walker = Walker(seed: 1)
            walker.behaviour.level = level
            walker.behaviour.begin(
                action: BehaviourRequest(.startCleaning, ["rooms": [2]]), noting: &walker.happened)
            walker.step(600)
            drained.append(37.4 - walker.behaviour.battery.energyWh)
        }
        #expect(drained == drained.sorted() && Set(drained).count == 4)
        #expect((drained[1] - 600.0 / 3600 * 30).magnitude < 0.3)
    }

    @Test func lowBatteryReturnsChargesAndResumesTheCleaning() throws {
        var walker = Walker(seed: 4)
        walker.behaviour.level = .max
        walker.behaviour.begin(
            action: BehaviourRequest(.startCleaning, ["passes": 2]), noting: &walker.happened)
        var wasDockedWithAJob = false
        var lowest = 100.0
        while walker.result == nil, walker.seconds < 40_000 {
            let before = walker.behaviour
            walker.step(1)
            let after = walker.behaviour
            lowest = min(lowest, after.battery.percent)
            if !before.activity.isDocked, !after.activity.isDocked {
                #expect(after.battery.energyWh <= before.battery.energyWh)
            }
            #expect(after.cleanedAreaM2 >= before.cleanedAreaM2)
            if case .docked(.some) = after.activity { wasDockedWithAJob = true }
        }
        #expect(wasDockedWithAJob && lowest > 5)
        #expect((walker.behaviour.cleanedAreaM2 - 99.2).magnitude < 1e-6)
        #expect(walker.happened.contains { $0.eventName == "low-battery" })
    }

    @Test(arguments: [9.5, 11])
    func pauseHoldsWithALowBatteryAndResumeGoesToCharge(_ percent: Double) throws {
        var walker = Walker(seed: 4)
        walker.behaviour.begin(
            action: BehaviourRequest(.startCleaning, ["passes": 2]), noting: &walker.happened)
        walker.step(300)
        walker.behaviour.battery.restore(percent: percent)
        walker.behaviour.perform(instant: BehaviourRequest(.pause), noting: &walker.happened)
        let place = walker.behaviour.position
        for _ in 0..<120 { walker.step(60) }
        #expect(walker.behaviour.activity.reported == .paused)
        #expect(walker.behaviour.position == place && walker.behaviour.battery.percent < 10)
        #expect(walker.happened.isEmpty)
        walker.behaviour.perform(instant: BehaviourRequest(.resume), noting: &walker.happened)
        walker.step(2)
        #expect(walker.behaviour.activity.reported == .returning)
        #expect(walker.result == nil, "the cleaning goes on after the charge")
    }

    @Test func dustbinFillsWithTheFloorAndIsEmptiedAtTheDock() {
        var walker = Walker(seed: 2, model: .pro)
        walker.behaviour.begin(
            action: BehaviourRequest(.startCleaning, ["rooms": [5]]), noting: &walker.happened)
        while walker.result == nil, walker.seconds < 3600 { walker.step(1) }
        #expect((walker.behaviour.dustbinPercent - 4.0 * 0.4).magnitude < 1e-6)
        while !walker.behaviour.activity.isDocked, walker.seconds < 3600 { walker.step(1) }
        #expect(walker.behaviour.dustbinPercent == 0)
    }

    @Test func moveToEndsAtItsPoint() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("move-to", ["x": 6.5, "y": 5.25]))
        bench.pass(.seconds(60))
        let sample = try #require(bench.log.samples.last)
        #expect(sample.values["x"] == 6.5 && sample.values["y"] == 5.25)
        #expect(bench.device.activityName == "idle")
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
            #expect((old - new).magnitude <= (isCleanEnd ? 0.4 : 0), "\(member): \(old) \(new)")
        }
        let charges = [before, after].compactMap { $0["batteryPercent"]?.number }
        #expect(charges[0] < 90 && charges[0] - charges[1] <= (isCleanEnd ? 1 : 0))
        #expect(charges[1] <= charges[0])
        #expect(after["cleanedAreaM2"]?.number ?? 0 >= before["cleanedAreaM2"]?.number ?? 1)
    }

    @Test func restartedRobotThatStoodOnItsDockIsThere() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("move-to", ["x": 1, "y": 3]))
        bench.pass(.seconds(60))
        bench.give(try Order("return-to-dock", at: bench.clock.wire))
        bench.pass(.seconds(60))
        try bench.restart()
        #expect(bench.state?.state["activity"] == "docked")
    }
}

/// A sweeping robot without rules around it.
private struct Walker {
    var behaviour: SweepingBehaviour
    var happened: [BehaviourOccurrence] = []
    var seconds = 0.0

    init(seed: UInt64, model: SweepingModel = .s1) {
        var generator = SeededGenerator(seed: seed)
        behaviour = SweepingBehaviour(
            model: model, plan: .standard, declaring: SweepingDeclaration(on: .standard),
            coverage: generator.uniform(in: SweepingConstants.coverage))
    }

    var result: ActionOutcome? {
        for case .actionEnded(let outcome) in happened { return outcome }
        return nil
    }

    mutating func step(_ time: Double) {
        seconds += time
        let end = BenchClock().world.advanced(by: .milliseconds(Int(seconds * 1000)))
        behaviour.step(WorldSpan(end: end, seconds: time), noting: &happened)
    }
}

extension BehaviourOccurrence {
    /// The name of the event, if this is one.
    var eventName: String? { if case .event(let name, _) = self { name.text } else { nil } }
}
