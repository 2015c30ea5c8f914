package import DeviceDomain

/// A point of a floor plan, in metres east and north of its south-western corner.
package struct PlanPoint: Hashable, Sendable {
    /// Metres to the east.
    package var x: Double
    /// Metres to the north.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The distance to another point, in metres.
    package func distance(to other: PlanPoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// A rectangular room with a door to the hall.
package struct FloorRoom: Hashable, Sendable {
    /// Its id, as commands name it.
    package let id: Int
    /// What people call it.
    package let name: String
    /// Its extent from west to east, in metres.
    package let x: ClosedRange<Double>
    /// Its extent from south to north, in metres.
    package let y: ClosedRange<Double>
    /// The middle of its door, on the wall that it shares with the hall; `nil` for the hall.
    package let door: PlanPoint?

    /// Its floor, in m².
    package var area: Double {
        (x.upperBound - x.lowerBound) * (y.upperBound - y.lowerBound)
    }

    /// Whether a point lies in the room or on its walls.
    package func contains(_ point: PlanPoint) -> Bool {
        x.contains(point.x) && y.contains(point.y)
    }
}

/// Rooms around one hall, and a dock in the hall.
///
/// Every room is a rectangle, so that straight lines within it are free, and every way from room
/// to room leads through two doors and the hall.
package struct FloorPlan: Hashable, Sendable {
    /// The rooms.
    package let rooms: [FloorRoom]
    /// Where the dock stands.
    package let dock: PlanPoint

    /// A home of 49.6 m².
    package static let standard = FloorPlan(
        rooms: [
            FloorRoom(id: 1, name: "Hall", x: 0...8, y: 2.5...3.5, door: nil),
            FloorRoom(
                id: 2, name: "Living room", x: 0...5.2, y: 3.5...6.2,
                door: PlanPoint(x: 2.5, y: 3.5)),
            FloorRoom(
                id: 3, name: "Kitchen", x: 5.2...8, y: 3.5...6.2, door: PlanPoint(x: 6.5, y: 3.5)),
            FloorRoom(
                id: 4, name: "Bedroom", x: 0...3.4, y: 0...2.5, door: PlanPoint(x: 2.6, y: 2.5)),
            FloorRoom(
                id: 5, name: "Bathroom", x: 3.4...5, y: 0...2.5, door: PlanPoint(x: 4.2, y: 2.5)),
            FloorRoom(id: 6, name: "Study", x: 5...8, y: 0...2.5, door: PlanPoint(x: 5.8, y: 2.5)),
        ],
        dock: PlanPoint(x: 4, y: 3.4))

    /// The room that a point lies in; on a shared wall, where no robot ever stands, the first.
    package func room(at point: PlanPoint) -> FloorRoom? {
        rooms.first { $0.contains(point) }
    }

    /// A room by its id.
    package func room(_ id: Int) -> FloorRoom? { rooms.first { $0.id == id } }

    /// How far from the walls a robot stays, doors apart, in metres: half of a brush's width.
    ///
    /// No point of a way lies on a wall: two rooms share it, so it would not be clear in which of
    /// them the robot is, and which door it has to take.
    package static let clearance = 0.09
    /// How far from a door, in metres, a way in the hall turns towards it.
    private static let doorApproach = 0.3

    /// The point nearest to `point` that a robot can stand on, `nil` outside the plan.
    package func standingPoint(near point: PlanPoint) -> PlanPoint? {
        guard !isDoor(point) else { return point }
        guard let room = room(at: point) else { return nil }
        return PlanPoint(
            x: room.x.narrowed(by: Self.clearance).nearest(to: point.x),
            y: room.y.narrowed(by: Self.clearance).nearest(to: point.y))
    }

    /// The corners of a free way between two points, without its start: straight within a room,
    /// else through the doors and the hall, each door crossed at a right angle.
    /// - Precondition: neither point lies on a wall, unless it is the middle of a door.
    package func route(from start: PlanPoint, to goal: PlanPoint) -> [PlanPoint] {
        // Two doors of one wall: the straight line would run along the wall.
        if isDoor(start), isDoor(goal) { return [hallSide(of: start), hallSide(of: goal), goal] }
        if rooms.contains(where: { $0.contains(start) && $0.contains(goal) }) { return [goal] }
        var corners: [PlanPoint] = []
        if let door = room(at: start)?.door { corners += [door, hallSide(of: door)] }
        if let door = room(at: goal)?.door { corners += [hallSide(of: door), door] }
        return corners + [goal]
    }

    private func isDoor(_ point: PlanPoint) -> Bool { rooms.contains { $0.door == point } }

    /// The point of the hall in front of a door.
    private func hallSide(of door: PlanPoint) -> PlanPoint {
        guard let hall = rooms.first(where: { $0.door == nil && $0.contains(door) }) else {
            return door
        }
        let isAbove = door.y >= hall.y.upperBound
        return PlanPoint(
            x: door.x, y: isAbove ? door.y - Self.doorApproach : door.y + Self.doorApproach)
    }

    /// What the commands of a robot on this plan may name.
    package var outline: FloorOutline {
        FloorOutline(
            roomIDs: rooms.map(\.id).sorted(),
            x: Self.span(rooms.map(\.x)), y: Self.span(rooms.map(\.y)))
    }

    /// What a robot on this plan says of it; `nil` for a plan that the protocol cannot express.
    package var described: RoomPlan? {
        try? RoomPlan(
            rooms: rooms.map { try $0.described }, dock: PlannedDock(position: FloorPosition(dock)))
    }

    private static func span(_ ranges: [ClosedRange<Double>]) -> ClosedRange<Double> {
        let lower = ranges.map(\.lowerBound).min() ?? 0
        return lower...max(ranges.map(\.upperBound).max() ?? 0, lower)
    }
}

extension FloorRoom {
    fileprivate var described: PlannedRoom {
        get throws {
            try PlannedRoom(
                id: id, name: name,
                shape: .rectangle(
                    southWest: FloorPosition(x: x.lowerBound, y: y.lowerBound),
                    northEast: FloorPosition(x: x.upperBound, y: y.upperBound)),
                doors: try door.map { [try PlannedDoor(position: FloorPosition($0))] } ?? [])
        }
    }
}

extension FloorPosition {
    fileprivate init(_ point: PlanPoint) throws { try self.init(x: point.x, y: point.y) }
}

extension ClosedRange<Double> {
    /// The range without `margin` at either end; its middle where it is too narrow for that.
    func narrowed(by margin: Double) -> ClosedRange<Double> {
        let middle = (lowerBound + upperBound) / 2
        return Swift.min(lowerBound + margin, middle)...Swift.max(upperBound - margin, middle)
    }

    /// The value of the range that is nearest to `value`.
    func nearest(to value: Double) -> Double {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}
