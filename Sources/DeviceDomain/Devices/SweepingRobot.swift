/// A robot that sweeps the floors of a home from a dock.
public struct SweepingRobot: Device, Connectable, BatteryPowered, Movable {
    public let profile: DeviceProfile
    public var report: DeviceReport

    /// What the robot is doing.
    public enum Activity: String, Hashable, Sendable, CaseIterable {
        case docked, idle, cleaning, paused, returning, error
    }

    /// How hard the robot sucks.
    public enum SuctionLevel: String, Hashable, Sendable, CaseIterable {
        case quiet, balanced, turbo, max
    }

    public init(profile: DeviceProfile, report: DeviceReport = DeviceReport()) {
        self.profile = profile
        self.report = report
    }

    /// What the robot is doing, if it was reported.
    public var activity: Activity? {
        report.state["activity"]?.string.flatMap(Activity.init)
    }

    /// How hard it sucks, if that was reported.
    public var suctionLevel: SuctionLevel? {
        report.state["fanSpeed"]?.string.flatMap(SuctionLevel.init)
    }
}

extension SweepingRobot {
    /// Cleans rooms of the floor plan, or all of them.
    public func startCleaning(rooms: RoomSelection? = nil, passes: Int? = nil)
        -> CommandRequest<Self>
    {
        var arguments: JSONObject = [:]
        if let rooms { arguments["rooms"] = .array(rooms.ids.map(JSONValue.integer)) }
        if let passes { arguments["passes"] = .integer(passes) }
        return CommandRequest(.startCleaning, arguments)
    }

    /// Cleans a spot.
    public func cleanSpot(_ spot: FloorPosition) -> CommandRequest<Self> {
        CommandRequest(.cleanSpot, ["x": .number(spot.x), "y": .number(spot.y)])
    }

    /// Makes a sound, so that the robot is found.
    public func locate() -> CommandRequest<Self> { CommandRequest(.locate) }

    /// Sets how hard the robot sucks.
    public func setSuctionLevel(_ level: SuctionLevel) -> CommandRequest<Self> {
        CommandRequest(.setSuctionLevel, ["level": .string(level.rawValue)])
    }
}

/// Rooms to be cleaned: 1 to 20 different ids of the floor plan.
public struct RoomSelection: Hashable, Sendable {
    /// The ids in the order of cleaning.
    public let ids: [Int]

    /// How many rooms one command may name (PROTOCOL section 5).
    public static let allowedCount = 1...20

    /// Accepts 1 to 20 different ids, else `nil`.
    public init?(_ ids: [Int]) {
        guard Self.allowedCount.contains(ids.count), Set(ids).count == ids.count else { return nil }
        self.ids = ids
    }
}

extension CommandName {
    /// Cleans rooms.
    public static let startCleaning = CommandName(rawValue: "start-cleaning")
    /// Cleans a spot.
    public static let cleanSpot = CommandName(rawValue: "clean-spot")
    /// Makes a sound.
    public static let locate = CommandName(rawValue: "locate")
    /// Sets how hard the robot sucks.
    public static let setSuctionLevel = CommandName(rawValue: "set-suction-level")
}
