import DeviceDomain

/// A room of a floor.
struct FloorRoom: Hashable, Sendable {
    /// Its id, as commands name it.
    let id: Int
    /// What people call it.
    let name: String
    /// Its outline.
    let outline: PlanPolygon
    /// Its doors, also those that the neighbouring rooms name.
    let doors: [FloorDoor]
}

/// A gap in a wall.
struct FloorDoor: Hashable, Sendable {
    /// Its middle, on the wall.
    let middle: PlanPoint
    /// How wide it is, in metres.
    let width: Double
}

/// A dock at a wall.
struct FloorDock: Hashable, Sendable {
    /// Where a docked robot stands, its back to the wall.
    let pose: Pose
    /// The outline of the dock itself.
    let housing: PlanPolygon

    /// Whether a robot stands where the dock holds it.
    func holds(_ position: PlanPoint) -> Bool {
        position.distance(to: pose.position) <= Invariant.noContradiction.tolerance.value
    }
}

/// The rooms of one floor and what stands on it.
struct FloorPlan: Hashable, Sendable {
    /// The rooms.
    let rooms: [FloorRoom]
    /// What stands on the floor, docks included.
    let obstacles: [PlanPolygon]
    /// The carpets.
    let carpets: [PlanPolygon]
    /// The areas that robots keep out of.
    let noGo: [PlanPolygon]
    /// The places of the home's docks; at least one.
    let docks: [FloorDock]

    /// The room that a point lies in.
    func room(at point: PlanPoint) -> FloorRoom? { rooms.first { $0.outline.contains(point) } }

    /// A room by its id.
    func room(_ id: Int) -> FloorRoom? { rooms.first { $0.id == id } }

    /// The walls: the outlines of the rooms without the doors.
    var walls: [PlanSegment] { rooms.flatMap { Self.walls(of: $0.outline, leaving: $0.doors) } }

    /// What a body must not touch: walls, obstacles, and areas to keep out of.
    var limits: [PlanSegment] { walls + (obstacles + noGo).flatMap(\.edges) }

    /// The smallest box along the axes around the rooms.
    var bounds: PlanBounds { PlanPolygon(corners: rooms.flatMap(\.outline.corners)).bounds }

    private static func walls(
        of outline: PlanPolygon, leaving doors: [FloorDoor]
    ) -> [PlanSegment] {
        outline.edges.flatMap { edge -> [PlanSegment] in
            let length = edge.start.distance(to: edge.end)
            let gaps = doors.filter { edge.distance(to: $0.middle) < 1e-6 }
                .map { door -> (from: Double, to: Double) in
                    let middle = edge.start.distance(to: door.middle)
                    return (middle - door.width / 2, middle + door.width / 2)
                }
                .sorted { $0.from < $1.from }
            var walls: [PlanSegment] = []
            var from = 0.0
            for gap in gaps + [(length, length)] {
                if gap.from > from { walls.append(edge.part(from, gap.from, of: length)) }
                from = max(from, gap.to)
            }
            return walls
        }
    }

    /// What the commands of a robot on this plan may name.
    var outline: FloorOutline {
        let bounds = bounds
        return FloorOutline(roomIDs: rooms.map(\.id).sorted(), x: bounds.x, y: bounds.y)
    }
}

extension PlanSegment {
    fileprivate func part(_ from: Double, _ to: Double, of length: Double) -> PlanSegment {
        func point(_ along: Double) -> PlanPoint {
            let share = along / length
            return PlanPoint(
                x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
        }
        return PlanSegment(start: point(from), end: point(to))
    }
}

extension FloorPlan {
    /// What a robot says of the plan; `nil` for a plan that the protocol cannot express.
    /// - Parameter radius: of its body, in metres.
    func described(radius: Double) -> RoomPlan? {
        try? RoomPlan(
            rooms: rooms.map { try $0.described }, obstacles: obstacles.map { try $0.described },
            carpets: carpets.map { try $0.described }, noGo: noGo.map { try $0.described },
            dock: nil, robotRadiusM: radius)
    }
}

extension RoomPlan {
    /// The same plan, with the dock of one robot.
    func with(_ dock: FloorDock) -> RoomPlan? {
        try? RoomPlan(
            rooms: rooms, obstacles: obstacles, carpets: carpets, noGo: noGo,
            dock: PlannedDock(
                position: FloorPosition(dock.pose.position), headingDeg: dock.pose.headingDeg),
            robotRadiusM: robotRadiusM)
    }
}

extension FloorRoom {
    fileprivate var described: PlannedRoom {
        get throws {
            try PlannedRoom(
                id: id, name: name, shape: shape,
                doors: doors.map { door in
                    try PlannedDoor(position: FloorPosition(door.middle), widthM: door.width)
                })
        }
    }

    private var shape: RoomShape {
        get throws {
            let bounds = outline.bounds
            let size =
                (bounds.x.upperBound - bounds.x.lowerBound)
                * (bounds.y.upperBound - bounds.y.lowerBound)
            guard outline.corners.count == 4, (outline.area - size).magnitude < 1e-9 else {
                return .polygon(try outline.corners.map { try FloorPosition($0) })
            }
            return .rectangle(
                southWest: try FloorPosition(x: bounds.x.lowerBound, y: bounds.y.lowerBound),
                northEast: try FloorPosition(x: bounds.x.upperBound, y: bounds.y.upperBound))
        }
    }
}

extension PlanPolygon {
    fileprivate var described: FloorArea {
        get throws { try FloorArea(corners: corners.map { try FloorPosition($0) }) }
    }
}

extension FloorPosition {
    /// To the millimetre, as positions are reported.
    fileprivate init(_ point: PlanPoint) throws(ArgumentViolation) {
        try self.init(x: point.x.rounded(decimals: 3), y: point.y.rounded(decimals: 3))
    }
}
