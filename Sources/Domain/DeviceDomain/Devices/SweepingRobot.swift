/// A robot that sweeps the floors of a home from a dock.
public struct SweepingRobot: Device, Connectable, BatteryPowered, Movable, Pausable {
    public let profile: DeviceProfile
    public var report: DeviceReport

    /// What the robot is doing.
    public enum Activity: String, Hashable, Sendable, CaseIterable {
        case docked, idle, moving, cleaning, paused, returning, error
    }

    /// The suction level.
    public enum SuctionLevel: String, Hashable, Sendable, CaseIterable {
        case quiet, balanced, turbo, max
    }

    public init(profile: DeviceProfile, report: DeviceReport = DeviceReport()) {
        self.profile = profile
        self.report = report
    }

    /// What the robot is doing, if it was reported.
    public var activity: Activity? {
        report.state[.activity]?.string.flatMap(Activity.init)
    }

    /// Whether it charges in its dock, if that was reported.
    public var isCharging: Bool? { report.state[.isCharging]?.boolean }

    /// The suction level, if that was reported.
    public var suctionLevel: SuctionLevel? {
        report.state[.fanSpeed]?.string.flatMap(SuctionLevel.init)
    }
}

extension CommandRequest where Receiver == SweepingRobot {
    /// Cleans every room of the floor plan, each 1 to 3 times.
    /// - Throws: ``ArgumentViolation`` if the number of passes is out of its range.
    public static func startCleaning(passes: Int? = nil) throws(ArgumentViolation) -> Self {
        Self(.startCleaning, try passArguments(passes))
    }

    /// Cleans 1 to 20 rooms of the floor plan, each 1 to 3 times.
    /// - Throws: ``ArgumentViolation`` if no room is named, one is named twice, or a number is out
    ///   of its range.
    public static func startCleaning(
        rooms: [Int], passes: Int? = nil
    ) throws(ArgumentViolation) -> Self {
        var arguments = try passArguments(passes)
        arguments["rooms"] = .array(try RoomSelection(rooms).ids.map(JSONValue.integer))
        return Self(.startCleaning, arguments)
    }

    private static func passArguments(_ passes: Int?) throws(ArgumentViolation) -> JSONObject {
        guard let passes else { return [:] }
        return ["passes": try .integer(passes, in: SweepingRobot.allowedPasses, "passes")]
    }

    /// Cleans a spot of the floor plan, in metres to the east and north of its origin.
    /// - Throws: ``ArgumentViolation`` if a coordinate is not finite.
    public static func cleanSpot(x: Double, y: Double) throws(ArgumentViolation) -> Self {
        Self(.cleanSpot, try FloorPosition(x: x, y: y).arguments)
    }

    /// Makes a sound, so that the robot can be found.
    public static var locate: Self { Self(.locate) }

    /// Sets the suction level.
    public static func setSuctionLevel(_ level: SweepingRobot.SuctionLevel) -> Self {
        Self(.setSuctionLevel, ["level": .string(level.rawValue)])
    }
}

extension CommandName {
    /// Cleans rooms.
    public static let startCleaning = CommandName(rawValue: "start-cleaning")
    /// Cleans a spot.
    public static let cleanSpot = CommandName(rawValue: "clean-spot")
    /// Makes a sound.
    public static let locate = CommandName(rawValue: "locate")
    /// Sets the suction level.
    public static let setSuctionLevel = CommandName(rawValue: "set-suction-level")
}
