import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The robots of one floor keep clear of each other, and get where they want all the same.
@Suite struct TrafficTests {
    /// Robots of one home, told what to do by hand.
    private struct RobotHome {
        private(set) var home: HomeWorld
        private(set) var clock = BenchClock()
        var generator: SeededGenerator
        private var orders = 0

        init(_ count: Int, seed: UInt64) throws {
            let clock = BenchClock()
            let id = try HomeID("home-\(seed)")
            let devices = try (0..<count).map { index in
                try SimulatedDevice(
                    identity: DeviceIdentity(
                        home: id, device: try DeviceID("sweeper-\(index + 1)"),
                        model: DeviceModel(rawValue: index % 2 == 0 ? "sweeper-s1" : "sweeper-pro"),
                        name: "Sweeper \(index + 1)"),
                    seed: seed &+ UInt64(index), homeSeed: seed, boot: BootID("b1"),
                    telemetryInterval: .seconds(5), at: clock.now)
            }
            home = HomeWorld(
                devices, in: Household(home: id, seed: seed, at: clock.world), at: clock.world)
            generator = SeededGenerator(seed: seed)
        }

        func robot(_ place: Int) -> SweepingBehaviour? {
            home.devices[place].behaviour as? SweepingBehaviour
        }

        var robots: [SweepingBehaviour] { home.devices.indices.compactMap(robot) }

        mutating func give(_ name: String, _ arguments: JSONObject = [:], to place: Int) throws {
            orders += 1
            let order = try Order(
                name, arguments, at: clock.wire, valid: .seconds(600), sequence: orders,
                id: CommandID(at: clock.wire, using: &generator))
            _ = home.handle(
                .command(
                    payload: order.payload, retained: false, responseTopic: nil, lane: .normal),
                of: place, at: clock.now)
        }

        mutating func pass(_ seconds: Int) {
            var left = seconds
            while left > 0 {
                clock.pass(.seconds(min(left, 30)))
                left -= 30
                _ = home.handle(.wake, of: 0, at: clock.now)
            }
        }

        /// Something happens to some robot.
        mutating func happen() throws {
            let place = Int.random(in: home.devices.indices, using: &generator)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<4: try give("start-cleaning", to: place)
            case 4..<7:
                let bounds = robots[place].floor.plan.bounds
                try give(
                    "move-to",
                    [
                        "x": .number(Double.random(in: bounds.x, using: &generator)),
                        "y": .number(Double.random(in: bounds.y, using: &generator)),
                    ], to: place)
            case 7, 8: try give("return-to-dock", to: place)
            case 9: try give("pause", to: place)
            case 10: try give("resume", to: place)
            default: try give("stop", to: place)
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func robotsOfAHomeNeverTouchEachOther(_ seed: UInt64) throws {
        var home = try RobotHome(Int(seed % 3) + 2, seed: seed)
        for _ in 0..<40 {
            try home.happen()
            home.pass(Int.random(in: 1...240, using: &home.generator))
        }
        #expect(home.home.invariants.entries == [:])
    }

    /// All of them clean all rooms at once, and are back on their docks.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func robotsThatCleanAtOnceComeHome(_ seed: UInt64) throws {
        var home = try RobotHome(3, seed: seed)
        for place in 0..<3 { try home.give("start-cleaning", to: place) }
        home.pass(60)
        #expect(home.robots.allSatisfy { !$0.activity.isDocked })
        var seconds = 0
        while seconds < 6 * 3600, !home.robots.allSatisfy(\.isHome) {
            home.pass(300)
            seconds += 300
        }
        #expect(home.home.invariants.entries == [:])
        #expect(home.robots.map(\.blockages.code) == [nil, nil, nil])
        #expect(home.robots.map(\.isHome) == [true, true, true], "after \(seconds) s")
        let area = Double(home.robots[0].floor.grid.freeCount) * FloorGrid.cellAreaM2
        for robot in home.robots {
            #expect(robot.cleanedAreaM2 > 0.7 * area, "\(robot.cleanedAreaM2) of \(area) m²")
        }
    }

    /// Two robots whose ways cross, each to where the other one is.
    @Test(arguments: 1...7 as ClosedRange<UInt64>)
    func robotsThatChangePlacesPassEachOther(_ seed: UInt64) throws {
        var home = try RobotHome(2, seed: seed)
        let plan = home.robots[0].floor.plan
        let places = plan.rooms.prefix(2).map { room -> PlanPoint in
            let bounds = room.outline.bounds
            return PlanPoint(
                x: (bounds.x.lowerBound + bounds.x.upperBound) / 2,
                y: (bounds.y.lowerBound + bounds.y.upperBound) / 2)
        }
        for turn in 0..<4 {
            for place in 0..<2 {
                let goal = places[(place + turn) % 2]
                try home.give("move-to", ["x": .number(goal.x), "y": .number(goal.y)], to: place)
            }
            home.pass(240)
            #expect(home.robots.map(\.activity.isMoving) == [false, false], "turn \(turn)")
            #expect(home.robots.map(\.blockages.code) == [nil, nil])
        }
        #expect(home.home.invariants.entries == [:])
    }

    /// A robot that stands on the only way is passed by, or left out: it stops nobody for good.
    @Test func aCleaningLeavesOutWhereARobotStands() throws {
        var home = try RobotHome(2, seed: 3)
        let room = try #require(home.robots[0].floor.plan.rooms.first)
        let bounds = room.outline.bounds
        try home.give(
            "move-to",
            [
                "x": .number((bounds.x.lowerBound + bounds.x.upperBound) / 2),
                "y": .number((bounds.y.lowerBound + bounds.y.upperBound) / 2),
            ], to: 1)
        home.pass(180)
        let other = try #require(home.robot(1)).pose.position
        try home.give("start-cleaning", ["rooms": [.integer(room.id)]], to: 0)
        home.pass(3 * 3600)
        let robot = try #require(home.robot(0))
        #expect(robot.isHome && robot.blockages.code == nil)
        #expect(try #require(home.robot(1)).pose.position == other)
        #expect(home.home.invariants.entries == [:])
        #expect(robot.cleanedAreaM2 > 1)
    }

    /// Robots beyond the places for docks live on another floor.
    @Test func robotsThatShareADockDoNotMeet() throws {
        let home = try RobotHome(8, seed: 1)
        let docks = home.robots[0].floor.plan.docks.count
        let traffic = FloorTraffic(docks: home.home.devices.map(\.behaviour.dockPlace))
        #expect(traffic.floors.count == (8 + docks - 1) / docks)
        for robots in traffic.floors {
            #expect(Set(robots.map { home.robots[$0].dock }).count == robots.count)
        }
    }

    /// After a crash each robot is where its last record has it, which may be one place.
    @Test func aRobotThatFindsAnotherInItsPlaceIsBesideIt() throws {
        let floor = TestFloors.floor(0)
        var walker = SweeperWalker(on: floor)
        walker.begin(.moveTo, ["x": 6.5, "y": 4])
        walker.finish()
        let place = walker.behaviour.pose.position
        walker.behaviour.join([place.moved(by: 0.1, headingDeg: 90)])
        let beside = walker.behaviour.pose.position
        #expect(beside.distance(to: place.moved(by: 0.1, headingDeg: 90)) >= FloorTraffic.distance)
        #expect(walker.behaviour.obstruction == nil)
        walker.behaviour.join([PlanPoint(x: 0, y: 0)])
        #expect(walker.behaviour.pose.position == beside)
    }

    @Test func robotsThatTouchAreFound() throws {
        let walker = SweeperWalker()
        let one = try #require(walker.behaviour.look.body)
        var other = one
        let name = try DeviceID("sweeper-2")
        other.position = one.position.moved(by: 0.36, headingDeg: 10)
        #expect(RobotPair.checks.findings(in: RobotPair(one: one, other: other, name: name)) == [])
        other.position = one.position.moved(by: 0.34, headingDeg: 10)
        let found = RobotPair.checks.findings(in: RobotPair(one: one, other: other, name: name))
        #expect(found.map(\.invariant.name) == ["robots-apart"])
    }

    // MARK: Courses

    @Test func aCourseKeepsItsDistanceUnlessItBeginsNearer() {
        let standing = BodyCourse(at: PlanPoint(x: 1, y: 1))
        func course(from x: Double, to end: Double) -> BodyCourse {
            let path = DrivePath(
                from: PlanPoint(x: x, y: 1),
                legs: [DriveLeg(to: PlanPoint(x: end, y: 1), .travel)])
            return BodyCourse(Drive(path, headingDeg: x < end ? 90 : 270, robot: .standard))
        }
        #expect(course(from: 2, to: 1.5).keeps(0.4, from: standing))
        #expect(!course(from: 1.42, to: 1).keeps(0.4, from: standing))
        #expect(course(from: 1.37, to: 2).keeps(0.4, from: standing), "it drives away")
        #expect(!course(from: 1.37, to: 1).keeps(0.4, from: standing))
    }

    @Test func detoursKeepClearOfOthers() throws {
        for template in FloorTemplate.all.indices {
            let floor = TestFloors.floor(template)
            let docks = floor.plan.docks.map(\.pose.position)
            var generator = SeededGenerator(seed: UInt64(template))
            func point() -> PlanPoint? {
                let bounds = floor.plan.bounds
                return floor.standingPoint(
                    near: PlanPoint(
                        x: generator.uniform(in: bounds.x), y: generator.uniform(in: bounds.y)))
            }
            var count = 0
            for _ in 0..<60 {
                let (start, goal) = (try #require(point()), try #require(point()))
                guard let corners = floor.detour(from: start, to: goal, keepingFrom: docks),
                    docks.allSatisfy({ $0.distance(to: start) > 0.6 })
                else { continue }
                count += 1
                for (from, to) in zip([start] + corners, corners) {
                    let piece = PlanSegment(start: from, end: to)
                    #expect(floor.grid.isClear(from, to, margin: 0))
                    for dock in docks {
                        #expect(piece.distance(to: dock) >= FloorTraffic.distance)
                    }
                }
            }
            #expect(count > 10, "template \(template)")
        }
    }

    @Test func aDriveGoesOnBeyondWhatIsInItsWay() throws {
        let path = DrivePath(
            from: PlanPoint(x: 0, y: 0),
            legs: [
                DriveLeg(to: PlanPoint(x: 4, y: 0), .lane, cells: 400),
                DriveLeg(to: PlanPoint(x: 4, y: 4), .lane, cells: 400),
            ], cleaningSpeed: 0.2)
        var drive = Drive(path, headingDeg: 90, robot: .standard)
        drive.pass(milliseconds: 4000)
        let done = drive.cells
        #expect(drive.placesToGoOn { _ in true } == nil)
        #expect(try #require(drive.placesToGoOn { _ in false }).isEmpty)
        let places = try #require(drive.placesToGoOn { $0.x < 2 || $0.x > 3 })
        #expect(places.count == 4)
        let first = places[0].pose.position
        #expect(first.x > 3 && first.x < 3.06 && first.y == 0)
        #expect(places[0].cells == done)
        var rest = places[0]
        rest.pass(milliseconds: 100_000)
        #expect(rest.isOver)
        #expect((rest.cells - done - (400 + 400 * (4 - first.x) / 4)).magnitude < 0.1)
    }
}

extension SweepingBehaviour {
    /// Whether it is on its dock for good.
    fileprivate var isHome: Bool {
        if case .docked(nil) = activity { true } else { false }
    }
}
