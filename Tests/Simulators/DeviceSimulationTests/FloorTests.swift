import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The floors of homes: sound, different, and shared.
@Suite struct FloorTests {
    private static let usual = FloorTemplate.all.indices.map { FloorVariant(template: $0) }

    @Test(arguments: usual + TestFloors.variants)
    func everyRoomCanBeReachedAndFurnitureStandsInIt(_ variant: FloorVariant) throws {
        let floor = Floor(variant, for: .standard)
        let plan = floor.plan
        #expect(plan.docks.count >= 4)
        for room in plan.rooms {
            let reached = Double(cells(of: room, on: floor).count) * FloorGrid.cellAreaM2
            #expect(reached > room.outline.area * 0.15, "\(room.name)")
            #expect(!room.doors.isEmpty, "\(room.name)")
        }
        for (index, obstacle) in plan.obstacles.enumerated() {
            let box = obstacle.bounds
            let room = try #require(plan.room(at: box.middle), "\(index)")
            for corner in obstacle.corners {
                let isInside = room.outline.contains(corner)
                #expect(isInside || room.outline.distance(to: corner) < 1e-6, "\(index)")
            }
            for other in plan.obstacles.dropFirst(index + 1) {
                #expect(!other.contains(box.middle) && !obstacle.contains(other.bounds.middle))
            }
        }
        for dock in plan.docks {
            #expect(plan.obstacles.contains(dock.housing))
            #expect(plan.limits.allSatisfy { $0.distance(to: dock.pose.position) >= 0.175 })
            let start = plan.docks[0].pose
            #expect(floor.wayHome(from: start, to: dock) != nil)
        }
    }

    private func cells(of room: FloorRoom, on floor: Floor) -> [GridCell] {
        (0..<floor.grid.count).map(floor.grid.cell).filter {
            floor.grid.isFree($0) && room.outline.contains(floor.grid.middle($0))
        }
    }

    @Test func homesDiffer() throws {
        let variants = try (1...60).map { number in
            FloorVariant(home: try HomeID("home-\(number)"), seed: 1)
        }
        #expect(Set(variants.map(\.template)).count >= 6)
        #expect(Set(variants).count > 40)
        let other = try (1...60).map { FloorVariant(home: try HomeID("home-\($0)"), seed: 2) }
        #expect(zip(variants, other).count { $0 == $1 } < 10)
        // Furniture is moved, rooms are mirrored and scaled.
        let plans = [
            FloorVariant(template: 0), FloorVariant(template: 0, arrangement: 1),
            FloorVariant(template: 0, isMirroredX: true), FloorVariant(template: 0, scale: 2),
        ].map { $0.plan(for: .standard) }
        #expect(plans[0].rooms == plans[1].rooms && plans[0].obstacles != plans[1].obstacles)
        #expect(plans[2].rooms != plans[0].rooms && plans[3].rooms != plans[0].rooms)
    }

    private func behaviour(
        _ device: String, _ model: String, home: String = "home-1"
    ) throws -> SweepingBehaviour {
        let identity = DeviceIdentity(
            home: try HomeID(home), device: try DeviceID(device),
            model: DeviceModel(rawValue: model), name: device)
        let made = try BehaviourCatalog.standard.makeBehaviour(
            identity: identity, seed: DeviceSeeds(device: 9, home: 1), at: BenchClock().world)
        return try #require(made as? SweepingBehaviour)
    }

    @Test func robotsOfAHomeShareTheFloorAndHaveDocksOfTheirOwn() throws {
        let robots = try [
            behaviour("sweeper-1", "sweeper-s1"), behaviour("sweeper-2", "sweeper-pro"),
            behaviour("sweeper-3", "sweeper-s1"), behaviour("sweeper-4", "sweeper-pro"),
        ]
        #expect(robots.allSatisfy { $0.floor === robots[0].floor })
        #expect(Set(robots.map(\.dock)).count == 4)
        #expect(Set(robots.map(\.describedPlan)).count == 4)
        #expect(robots[0].robot === robots[2].robot)
        for robot in robots { #expect(robot.pose == robot.dock.pose) }
        let same = try behaviour("sweeper-1", "sweeper-s1")
        #expect(same.dock == robots[0].dock)
        let unnumbered = try behaviour("kitchen", "sweeper-s1")
        #expect(unnumbered.floor.plan.docks.contains(unnumbered.dock))
    }

    @Test(arguments: TestFloors.variants)
    func whatARobotDescribesIsItsFloor(_ variant: FloorVariant) throws {
        let floor = Floor(variant, for: .standard)
        let dock = floor.plan.docks[1]
        let plan = try #require(floor.describedPlan(dock: dock))
        #expect(plan.rooms.map(\.id) == floor.plan.rooms.map(\.id))
        #expect(plan.rooms.map(\.name) == floor.plan.rooms.map(\.name))
        #expect(plan.obstacles.count == floor.plan.obstacles.count)
        #expect(plan.carpets.count == floor.plan.carpets.count && !plan.carpets.isEmpty)
        #expect(plan.noGo.count == floor.plan.noGo.count && !plan.noGo.isEmpty)
        #expect(plan.dock?.headingDeg == dock.pose.headingDeg && plan.robotRadiusM == 0.175)
        for (described, room) in zip(plan.rooms, floor.plan.rooms) {
            #expect(described.doors.map(\.widthM) == room.doors.map(\.width))
            let corners = described.shape.corners.map { PlanPoint(x: $0.x, y: $0.y) }
            #expect(Set(corners) == Set(room.outline.corners))
        }
        var message = try DeviceBench("sweeper-s1").device.description
        message.plan = plan
        #expect(message.payload.count < 32 * 1024)
        #expect(try DescriptionMessage(payload: message.payload).plan == plan)
    }

    @Test func aDoorIsAGapInTheWallsOfBothItsRooms() {
        let plan = FloorVariant(template: 0).plan(for: .standard)
        for door in plan.rooms.flatMap(\.doors) {
            #expect(plan.rooms.count { $0.doors.contains(door) } == 2)
            let nearest = plan.walls.map { $0.distance(to: door.middle) }.min() ?? 0
            #expect((nearest - door.width / 2).magnitude < 1e-9)
        }
    }

    @Test func everyNumberHasAUnitAndASourceOnce() {
        for robot in [SweeperSpecification.s1, .pro] {
            let names = robot.ratings.map(\.name)
            #expect(Set(names).count == names.count && names.count > 30)
            for (name, rating) in robot.ratings {
                #expect(!rating.unit.isEmpty, "\(name)")
                #expect(rating.range.map { $0.contains(rating.value) } ?? true, "\(name)")
            }
        }
    }
}

extension PlanBounds {
    /// Its middle.
    fileprivate var middle: PlanPoint {
        PlanPoint(
            x: (x.lowerBound + x.upperBound) / 2, y: (y.lowerBound + y.upperBound) / 2)
    }
}
