import Testing

@testable import DeviceSimulation

/// How robots drive, and how they find their ways.
@Suite struct DriveTests {
    private let floor = TestFloors.floor(0)

    @Test(arguments: [(3.0, 0.3, 0.3, 11.0), (0.12, 0.3, 0.3, 1.2649), (0.3, 0.3, 0.3, 2.0)])
    func aMovementSpeedsUpAndBrakes(
        length: Double, speed: Double, acceleration: Double, duration: Double
    ) {
        let ramp = Ramp(length: length, speed: speed, acceleration: acceleration)
        #expect((ramp.duration - duration).magnitude < 1e-4)
        #expect(ramp.travelled(after: 0) == 0 && ramp.travelled(after: duration + 1) == length)
        #expect((ramp.travelled(after: ramp.duration / 2) - length / 2).magnitude < 1e-9)
        let step = 0.01
        var before = 0.0
        var speedBefore = 0.0
        for index in 1...Int(ramp.duration / step) {
            let travelled = ramp.travelled(after: Double(index) * step)
            let present = (travelled - before) / step
            #expect(present <= speed + 1e-9 && present >= 0)
            #expect((present - speedBefore).magnitude <= acceleration * step + 1e-9)
            (before, speedBefore) = (travelled, present)
        }
    }

    @Test func aDriveDoesNotDependOnHowItsTimeIsCut() throws {
        let path = try #require(floor.cleaning(of: floor.plan.rooms[1], .init(number: 3)))
        var drives = [Drive](
            repeating: Drive(path, headingDeg: 10, robot: .standard), count: 2)
        for _ in 0..<100 {
            drives[0].pass(5000)
            for part in [1, 999, 1637, 363, 2000] { drives[1].pass(part) }
            #expect(drives[0].pose == drives[1].pose && drives[0].cells == drives[1].cells)
        }
    }

    @Test func aStopInBetweenLosesNothing() throws {
        let path = try #require(floor.cleaning(of: floor.plan.rooms[1], .init(number: 0)))
        var drive = Drive(path, headingDeg: 0, robot: .standard)
        var cells = 0.0
        while !drive.isOver {
            drive.pass(3700)
            #expect(drive.cells >= cells - 1e-9)
            cells = drive.cells
            let place = drive.pose
            drive = drive.resumed(from: place)
            #expect(drive.pose.position.distance(to: place.position) < 1e-9)
            #expect(
                Compass.turn(from: drive.pose.headingDeg, to: place.headingDeg).magnitude < 0.01)
            #expect((drive.cells - cells).magnitude < 1e-9)
        }
        #expect((drive.cells - Double(path.cells)).magnitude < 1e-6)
    }

    @Test func waysLeadAroundWhatIsBlockedAndNowhereIfAllIs() throws {
        let start = floor.plan.docks[0].pose
        let goal = try #require(
            floor.standingPoint(near: PlanPoint(x: 6.5, y: 2)))
        let way = try #require(floor.way(from: start, to: goal))
        let corners = way.corners
        let middle = corners[corners.count / 2]
        var blocked = CellSet(count: floor.grid.count)
        for index in 0..<floor.grid.count
        where floor.grid.middle(floor.grid.cell(index)).distance(to: middle) < 0.12 {
            blocked.set(index, true)
        }
        if let other = floor.way(from: start, to: goal, avoiding: blocked) {
            for (from, to) in zip(other.corners, other.corners.dropFirst()).dropFirst() {
                let way = PlanSegment(start: from, end: to)
                #expect(way.distance(to: middle) > 0.08)
            }
            #expect(other != way)
        }
        for index in 0..<floor.grid.count { blocked.set(index, true) }
        #expect(floor.way(from: start, to: goal, avoiding: blocked) == nil)
        #expect(floor.wayHome(from: start, to: floor.plan.docks[0], avoiding: blocked) == nil)
    }

    @Test(arguments: FloorTemplate.all.indices)
    func everyWayKeepsItsDistance(_ template: Int) throws {
        let floor = TestFloors.floor(template)
        let limits = floor.plan.limits
        let goals = floor.plan.rooms.compactMap { room in
            floor.standingPoint(near: room.outline.corners[0])
        }
        for dock in floor.plan.docks.prefix(2) {
            var pose = dock.pose
            for goal in goals {
                let way = try #require(floor.way(from: pose, to: goal))
                #expect(way.corners.last == goal)
                for (from, to) in zip(way.corners, way.corners.dropFirst()) {
                    let piece = PlanSegment(start: from, end: to)
                    #expect(limits.allSatisfy { $0.distance(to: piece) >= 0.175 })
                }
                pose = Pose(position: goal, headingDeg: 0)
            }
        }
    }
}

extension Drive {
    /// Lets time pass.
    fileprivate mutating func pass(_ milliseconds: Int) {
        var rest = milliseconds
        while !isOver, rest > 0 || restOfLeg == 0 {
            let part = min(rest, restOfLeg)
            advance(milliseconds: part)
            rest -= part
        }
    }
}
