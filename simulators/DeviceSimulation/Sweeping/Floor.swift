import Basics
import DeviceDomain

/// The floor of a home as its robots know it: immutable but for the ways that were planned on it, and shared by
/// all robots that live on equal floors.
final class Floor: Sendable {
    /// The rooms and what stands in them.
    let plan: FloorPlan
    /// Where a robot can be.
    let grid: FloorGrid
    /// The numbers of the robots.
    let robot: SweeperChassis
    /// The commands that they declare.
    let commands: [CommandSpecification]

    private let described: RoomPlan?
    private let planned = Guarded(PlannedWays())

    init(_ variant: FloorVariant, for robot: SweeperChassis) {
        plan = variant.plan(for: robot)
        grid = FloorGrid(plan, radius: robot.bodyRadius.value)
        self.robot = robot
        commands = SweepingRobot.commands(on: plan.outline)
        described = plan.described(radius: robot.bodyRadius.value)
    }

    /// What a robot says of the floor and its dock; `nil` for a floor that the protocol cannot express.
    func describedPlan(dock: FloorDock) -> RoomPlan? { described?.with(dock) }

    /// Whether something stands on a point, or robots keep out of it.
    func isOccupied(_ point: PlanPoint) -> Bool {
        plan.obstacles.contains { $0.contains(point) } || isForbidden(point)
    }

    /// Whether robots keep out of a point.
    func isForbidden(_ point: PlanPoint) -> Bool { plan.noGo.contains { $0.contains(point) } }

    /// How much of a way leads over carpets, 0…1; looked up every 5 cm.
    func carpetShare(along way: PlanSegment) -> Double {
        let count = max(1, Int((way.start.distance(to: way.end) / FloorGrid.cellM).rounded()))
        let covered = (0...count).count { step in
            let share = Double(step) / Double(count)
            let point = PlanPoint(
                x: way.start.x + (way.end.x - way.start.x) * share,
                y: way.start.y + (way.end.y - way.start.y) * share)
            return plan.carpets.contains { $0.contains(point) }
        }
        return Double(covered) / Double(count + 1)
    }

    /// The point nearest to `point` on which a robot can stand; `nil` on a floor without one.
    func standingPoint(near point: PlanPoint) -> PlanPoint? {
        let exact = PlanPoint(x: point.x.rounded(decimals: 3), y: point.y.rounded(decimals: 3))
        let cell = grid.cell(at: exact)
        if grid.isFree(cell), !isOccupied(exact), grid.isClear(exact, grid.middle(cell)) {
            return exact
        }
        return grid.nearestFreeCell(to: point).map(grid.middle)
    }
}

// MARK: Ways

extension Floor {
    /// The way that cleans a room; `nil` where nothing of it can be reached.
    func cleaning(of room: FloorRoom, _ variant: CoveragePlanner.Variant) -> DrivePath? {
        let key = PlannedWays.RoomKey(room: room.id, variant: variant)
        if let known = planned.withLock({ $0.rooms[key] }) { return known }
        let path = path(
            in: room, { room.outline.contains($0) },
            entry: room.doors.first?.middle ?? room.outline.corners[0], variant)
        // Planned outside the lock: two robots at once plan the same.
        if let path { planned.withLock { $0.rooms[key] = path } }
        return path
    }

    /// The way that cleans a square around a point, as far as its room goes.
    func cleaning(
        around spot: PlanPoint, _ variant: CoveragePlanner.Variant
    ) -> DrivePath? {
        guard let room = plan.room(at: spot) else { return nil }
        let half = robot.spotSide.value / 2
        let square = PlanBounds(x: spot.x - half...spot.x + half, y: spot.y - half...spot.y + half)
        return path(
            in: room, { square.contains($0) && room.outline.contains($0) }, entry: spot, variant)
    }

    private func path(
        in room: FloorRoom, _ area: (PlanPoint) -> Bool, entry: PlanPoint,
        _ variant: CoveragePlanner.Variant
    ) -> DrivePath? {
        let (columns, rows) = grid.cells(in: room.outline.bounds)
        var region: [GridCell] = []
        for row in rows {
            for column in columns {
                let cell = GridCell(column: column, row: row)
                if grid.isFree(cell), area(grid.middle(cell)) { region.append(cell) }
            }
        }
        guard !region.isEmpty else { return nil }
        var planner = CoveragePlanner(
            self, region: region, of: area, entry: entry, variant: variant)
        return planner.path()
    }

    /// The shortest way to a point, for a robot that stands where it can stand; `nil` if there is none.
    /// - Parameter blocked: cells in which the middle of its body may not be at present, such as those near other robots.
    func way(
        from start: Pose, to goal: PlanPoint, avoiding blocked: CellSet? = nil
    ) -> DrivePath? {
        let exit = exit(from: start)
        guard let corners = corners(from: exit ?? start.position, to: goal, avoiding: blocked)
        else { return nil }
        return DrivePath(
            from: start.position,
            legs: ((exit.map { [$0] } ?? []) + corners).map { DriveLeg(to: $0, .travel) })
    }

    /// The way to a dock; `nil` if there is none.
    func wayHome(
        from start: Pose, to dock: FloorDock, avoiding blocked: CellSet? = nil
    ) -> DrivePath? {
        let front = front(of: dock)
        guard let way = way(from: start, to: front, avoiding: blocked) else { return nil }
        return DrivePath(
            from: start.position,
            legs: way.legs + [DriveLeg(to: dock.pose.position, .backwards)])
    }

    /// How far in front of its dock a robot turns, in metres.
    private static let turningDistance = 0.4

    /// The point in front of a dock on which a robot turns.
    func front(of dock: FloorDock) -> PlanPoint {
        dock.pose.position.moved(by: Self.turningDistance, headingDeg: dock.pose.headingDeg)
            .rounded
    }

    /// Where a robot on a dock drives first; `nil` for one that is on none.
    private func exit(from start: Pose) -> PlanPoint? {
        plan.docks.first { $0.pose.position.distance(to: start.position) < 0.01 }.map(front)
    }

    /// The corners of the shortest way between two points, without the first.
    func corners(
        from start: PlanPoint, to goal: PlanPoint, avoiding blocked: CellSet? = nil
    ) -> [PlanPoint]? {
        if isClear(start, goal, avoiding: blocked) { return [goal] }
        guard let first = grid.entryCell(from: start), let last = grid.entryCell(from: goal) else {
            return nil
        }
        let key = PlannedWays.WayKey(from: grid.index(first), to: grid.index(last))
        var cells = blocked == nil ? planned.withLock { $0.ways[key] } : nil
        if cells == nil {
            var search = PathSearch(grid, avoiding: blocked)
            guard let found = search.way(from: first, to: last) else { return nil }
            let points = found.map(grid.middle)
            cells = tightened(points, avoiding: blocked)
            if blocked == nil, let cells { planned.withLock { $0.keep(cells, for: key) } }
        }
        return tightened([start] + (cells ?? []) + [goal], avoiding: blocked).dropFirst().map { $0 }
    }

    /// Leaves out the points that a straight way can pass by.
    private func tightened(_ points: [PlanPoint], avoiding blocked: CellSet?) -> [PlanPoint] {
        guard points.count > 2 else { return points }
        var kept = [points[0]]
        var from = 0
        while from < points.count - 1 {
            var to = from + 1
            var step = points.count - 1 - to
            // Far points first, by halves: whether a point can be seen does not depend on its distance alone.
            while step > 0 {
                while to + step < points.count,
                    isClear(points[from], points[to + step], avoiding: blocked)
                {
                    to += step
                }
                step /= 2
            }
            kept.append(points[to])
            from = to
        }
        return kept
    }

    /// Whether a body can drive straight from one point to another.
    func isClear(_ start: PlanPoint, _ end: PlanPoint, avoiding blocked: CellSet?) -> Bool {
        guard grid.isClear(start, end) else { return false }
        guard let blocked else { return true }
        let count = max(1, Int((start.distance(to: end) / FloorGrid.cellM * 2).rounded(.up)))
        return (0...count).allSatisfy { step in
            let share = Double(step) / Double(count)
            let point = PlanPoint(
                x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
            let cell = grid.cell(at: point)
            return !grid.contains(cell) || !blocked.contains(grid.index(cell))
        }
    }
}

extension PlanPoint {
    /// To the millimetre.
    var rounded: PlanPoint { PlanPoint(x: x.rounded(decimals: 3), y: y.rounded(decimals: 3)) }
}

/// Ways that were planned on a floor, so that many robots plan each once.
private struct PlannedWays {
    struct RoomKey: Hashable {
        let room: Int
        let variant: CoveragePlanner.Variant
    }
    struct WayKey: Hashable {
        let from: Int
        let to: Int
    }

    var rooms: [RoomKey: DrivePath] = [:]
    private(set) var ways: [WayKey: [PlanPoint]] = [:]

    /// The most ways that are kept; about 100 bytes each.
    private static let limit = 256

    mutating func keep(_ way: [PlanPoint], for key: WayKey) {
        if ways.count >= Self.limit { ways = [:] }
        ways[key] = way
    }
}

/// The floors that were made, so that equal ones are in memory once.
final class FloorLibrary: Sendable {
    private let robot: SweeperChassis
    private let floors = Guarded<[FloorVariant: Floor]>([:])

    init(for robot: SweeperChassis) { self.robot = robot }

    /// A floor, made when it is needed first.
    func floor(_ variant: FloorVariant) -> Floor {
        floors.withLock { floors in
            if let known = floors[variant] { return known }
            let floor = Floor(variant, for: robot)
            floors[variant] = floor
            return floor
        }
    }
}
