/// The rooms of a floor and what stands on it, as a robot describes them (PROTOCOL section 2).
public struct RoomPlan: Hashable, Sendable {
    /// The rooms, by different ids, in the order of the description.
    public let rooms: [PlannedRoom]
    /// The outlines of what stands on the floor.
    public let obstacles: [FloorArea]
    /// The outlines of the carpets.
    public let carpets: [FloorArea]
    /// The outlines of the areas that the robot keeps out of.
    public let noGo: [FloorArea]
    /// Where the dock stands; `nil` if the robot has not said.
    public let dock: PlannedDock?
    /// The radius of the robot's body in metres; `nil` if the robot has not said.
    public let robotRadiusM: Double?

    /// How many rooms a plan may have; with ``FloorArea/cornerCount`` a description stays far below the
    /// 64 KiB of a payload.
    public static let allowedCount = 1...50
    /// How many obstacles, carpets or areas to keep out of a plan may have, of each.
    public static let mostAreas = 100
    /// The radii that a robot's body may have, in metres.
    public static let allowedRadiusM = 0.01...1.0

    /// - Throws: ``ArgumentViolation`` unless there are 1 to 50 rooms with different ids, at most 100 obstacles,
    ///   carpets and areas to keep out of, and a radius of 0.01 to 1 m.
    public init(
        rooms: [PlannedRoom], obstacles: [FloorArea] = [], carpets: [FloorArea] = [],
        noGo: [FloorArea] = [], dock: PlannedDock?, robotRadiusM: Double? = nil
    ) throws(ArgumentViolation) {
        guard Self.allowedCount.contains(rooms.count) else {
            throw ArgumentViolation(path: "rooms", reason: "must be 1 to 50 rooms")
        }
        guard Set(rooms.map(\.id)).count == rooms.count else {
            throw ArgumentViolation(path: "rooms", reason: "must have different ids")
        }
        for (name, areas) in [("obstacles", obstacles), ("carpets", carpets), ("noGo", noGo)]
        where areas.count > Self.mostAreas {
            throw ArgumentViolation(path: name, reason: "must be at most 100")
        }
        guard robotRadiusM.map(Self.allowedRadiusM.contains) ?? true else {
            throw ArgumentViolation(path: "robotRadiusM", reason: "must be 0.01 to 1 m")
        }
        self.rooms = rooms
        self.obstacles = obstacles
        self.carpets = carpets
        self.noGo = noGo
        self.dock = dock
        self.robotRadiusM = robotRadiusM
    }
}

/// A room of a plan.
public struct PlannedRoom: Hashable, Sendable {
    /// Its id, as commands name it.
    public let id: Int
    /// What people call it; `nil` if the robot has not said.
    public let name: String?
    /// Its extent.
    public let shape: RoomShape
    /// Its doors.
    public let doors: [PlannedDoor]

    /// How many characters a name may have.
    public static let longestName = 64
    /// How many doors a room may have.
    public static let mostDoors = 16
    /// How far from its origin a plan may reach, in metres.
    public static let reachM = 1_000.0

    /// - Throws: ``ArgumentViolation`` for a name of over 64 characters, a polygon without 3 to 32 corners, a
    ///   rectangle without area, over 16 doors, or a point beyond 1,000 m from the origin.
    public init(
        id: Int, name: String?, shape: RoomShape, doors: [PlannedDoor]
    ) throws(ArgumentViolation) {
        guard name?.unicodeScalars.count ?? 0 <= Self.longestName else {
            throw ArgumentViolation(path: "name", reason: "must have at most 64 characters")
        }
        guard shape.isWellFormed else {
            throw ArgumentViolation(
                path: shape.word,
                reason: "must have 3 to 32 corners, and an area, within 1,000 m of the origin")
        }
        guard doors.count <= Self.mostDoors, doors.allSatisfy(\.position.isInReach) else {
            throw ArgumentViolation(
                path: "doors", reason: "must be at most 16, within 1,000 m of the origin")
        }
        self.id = id
        self.name = name
        self.shape = shape
        self.doors = doors
    }
}

/// The extent of a room.
public enum RoomShape: Hashable, Sendable {
    /// A rectangle along the axes.
    case rectangle(southWest: FloorPosition, northEast: FloorPosition)
    /// A polygon by its corners in their order; the last one is joined to the first.
    case polygon([FloorPosition])

    /// The corners in their order.
    public var corners: [FloorPosition] {
        switch self {
        case .rectangle(let low, let high):
            [low, low.eastward(to: high), high, high.eastward(to: low)]
        case .polygon(let corners): corners
        }
    }

    fileprivate var word: String {
        switch self {
        case .rectangle: "rectangle"
        case .polygon: "polygon"
        }
    }

    fileprivate var isWellFormed: Bool {
        switch self {
        case .rectangle(let low, let high):
            low.x < high.x && low.y < high.y && low.isInReach && high.isInReach
        case .polygon(let corners): FloorArea.isWellFormed(corners)
        }
    }
}

extension FloorPosition {
    /// Whether a plan may have it.
    var isInReach: Bool { max(x.magnitude, y.magnitude) <= PlannedRoom.reachM }
}

extension DeviceProfile {
    /// The same violation with the names of the device's rooms, where it is about rooms and the device has named them.
    func namingRooms(in violation: ArgumentViolation) -> ArgumentViolation {
        let named = (plan?.rooms ?? []).compactMap { room in
            room.name.map { "\(room.id) \($0)" }
        }
        guard violation.path.hasPrefix("rooms"), !named.isEmpty else { return violation }
        return ArgumentViolation(
            path: violation.path,
            reason: "\(violation.reason); its rooms are \(named.joined(separator: ", "))")
    }
}
