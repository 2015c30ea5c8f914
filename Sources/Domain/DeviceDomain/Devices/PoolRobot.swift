/// A robot that cleans a swimming pool.
public struct PoolRobot: Device, Connectable, BatteryPowered, Pausable {
    public let profile: DeviceProfile
    public var report: DeviceReport

    /// What the robot is doing.
    public enum Activity: String, Hashable, Sendable, CaseIterable {
        case idle, cleaning, surfacing, paused, error
    }

    /// What a cleaning covers.
    public enum Program: String, Hashable, Sendable, CaseIterable {
        case floor, walls, waterline, full
    }

    /// How hard the robot works.
    public enum PowerLevel: String, Hashable, Sendable, CaseIterable {
        case eco, normal, boost
    }

    public init(profile: DeviceProfile, report: DeviceReport = DeviceReport()) {
        self.profile = profile
        self.report = report
    }

    /// What the robot is doing, if it was reported.
    public var activity: Activity? {
        report.state[.activity]?.string.flatMap(Activity.init)
    }

    /// The program that runs, if one was reported.
    public var program: Program? {
        report.state[.program]?.string.flatMap(Program.init)
    }
}

extension CommandRequest where Receiver == PoolRobot {
    /// Runs a cleaning program.
    public static func startProgram(_ program: PoolRobot.Program) -> Self {
        Self(.startProgram, ["program": .string(program.rawValue)])
    }

    /// Comes up to the surface.
    public static var surface: Self { Self(.surface) }

    /// Sets how hard the robot works.
    public static func setPowerLevel(_ level: PoolRobot.PowerLevel) -> Self {
        Self(.setPowerLevel, ["level": .string(level.rawValue)])
    }

    /// Sets the weekly schedule.
    public static func setSchedule(_ schedule: WeeklySchedule) -> Self {
        Self(.setSchedule, ["entries": schedule.json])
    }
}

extension CommandName {
    /// Runs a cleaning program.
    public static let startProgram = CommandName(rawValue: "start-program")
    /// Comes up to the surface.
    public static let surface = CommandName(rawValue: "surface")
    /// Sets how hard the robot works.
    public static let setPowerLevel = CommandName(rawValue: "set-power-level")
    /// Sets the weekly schedule.
    public static let setSchedule = CommandName(rawValue: "set-schedule")
}

extension DeviceProfile {
    /// Checks what PROTOCOL section 5 demands of arguments and a schema cannot say. A setting that is kept for
    /// a device that is away would else be refused where nobody hears it.
    func checkBeyondSchema(
        _ name: CommandName, _ arguments: JSONObject
    ) throws(ArgumentViolation) {
        guard kind == .poolRobot, name == .setSchedule, let entries = arguments["entries"] else {
            return
        }
        _ = try WeeklySchedule(json: entries)
    }
}
