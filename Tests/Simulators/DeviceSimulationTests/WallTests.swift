import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// No way of a sweeping robot leads through a wall.
@Suite struct WallTests {
    private let plan = FloorPlan.standard
    private let planner = SweepingPlanner(plan: .standard, coverage: 1)

    @Test func cleaningOfAnyRoomsInAnyOrderStaysBetweenTheWalls() throws {
        for first in plan.rooms {
            for second in plan.rooms {
                let route = planner.cleaning(of: [first, second], passes: 2, from: plan.dock)
                let end = try #require(route.corners.last)
                let home = planner.way(from: end, to: plan.dock)
                let corners = [plan.dock] + route.corners + home.corners
                #expect(plan.firstBreach(of: corners) == nil, "\(first.id), \(second.id)")
            }
        }
    }

    @Test func wayFromAnyCornerOfACleaningHomeAndBackStaysBetweenTheWalls() {
        let cleaning = planner.cleaning(of: plan.rooms, passes: 1, from: plan.dock)
        for corner in cleaning.corners {
            let home = planner.way(from: corner, to: plan.dock).corners
            let back = planner.way(from: plan.dock, to: corner).corners
            #expect(plan.firstBreach(of: [corner] + home) == nil, "\(corner) home")
            #expect(plan.firstBreach(of: [plan.dock] + back) == nil, "\(corner) back")
        }
    }

    /// Commands may name any point of the plan, also one on a wall or in a doorway.
    @Test func waysAndSpotsAtNamedPointsStayBetweenTheWalls() {
        let xs = [0, 2.5, 2.6, 3.4, 4.2, 5, 5.2, 5.8, 6.5, 8]
        let points = xs.flatMap { x in
            [0, 1, 2.5, 3, 3.5, 5, 6.2].map { PlanPoint(x: x, y: $0) }
        }
        for point in points {
            var position = plan.dock
            for goal in [point, PlanPoint(x: 7, y: 5), point, PlanPoint(x: 1, y: 1)] + points {
                let way = planner.way(from: position, to: goal).corners
                #expect(plan.firstBreach(of: [position] + way) == nil, "\(position) to \(goal)")
                position = way.last ?? position
            }
            let spot = planner.cleaning(around: point, from: plan.dock).corners
            #expect(plan.firstBreach(of: [plan.dock] + spot) == nil, "spot \(point)")
        }
    }

    /// The trail that a controller sees: positions of telemetry samples ten times a second.
    @Test func trailOfTelemetryStaysBetweenTheWalls() throws {
        var bench = try DeviceBench("sweeper-pro", telemetryEvery: .milliseconds(100))
        bench.give(try Order("start-cleaning", ["rooms": [3, 2, 6]]))
        bench.pass(.seconds(2400))
        let trail = try bench.log.samples.map { sample in
            PlanPoint(
                x: try #require(sample.values["x"]?.number),
                y: try #require(sample.values["y"]?.number))
        }
        #expect(trail.count > 20_000)
        for (from, to) in zip(trail, trail.dropFirst()) where from != to {
            #expect(plan.isFree(from, to), "\(from) to \(to)")
        }
        #expect(bench.log.events.contains("cleaning-finished"))
    }
}

extension FloorPlan {
    /// Half of the width of a door, in metres.
    private static let halfDoor = 0.4

    /// The first segment of a way that leaves the rooms without passing a door.
    ///
    /// Two rooms share each wall, so a corner alone does not say in which room the robot is: the
    /// rooms that it can be in are followed along the way, and more are added at a door only.
    func firstBreach(of corners: [PlanPoint]) -> String? {
        guard let start = corners.first else { return nil }
        var possible = rooms.filter { $0.contains(start) }
        for (from, to) in zip(corners, corners.dropFirst()) where from != to {
            possible = possible.filter { $0.contains(to) }
            if possible.isEmpty { return "\(from) to \(to)" }
            if rooms.contains(where: { $0.door == to }) {
                possible = rooms.filter { $0.contains(to) }
            }
        }
        return nil
    }

    /// Whether a short segment lies in one room, or crosses a wall within a door.
    func isFree(_ from: PlanPoint, _ to: PlanPoint) -> Bool {
        if rooms.contains(where: { $0.contains(from) && $0.contains(to) }) { return true }
        return rooms.compactMap(\.door).contains { door in
            (from.x - door.x).magnitude < Self.halfDoor && (to.x - door.x).magnitude < Self.halfDoor
                && (from.y - door.y) * (to.y - door.y) <= 0
        }
    }
}
