public import DeviceDomain
public import DeviceMessages

/// A place in the app, as a value: links, the back button and a restart lead to the same one.
public enum Route: Hashable, Sendable {
    /// The home with all its devices.
    case home
    /// The rooms that the user has made.
    case rooms
    /// One device.
    case device(DeviceID)
    /// The floor plan of a robot.
    case plan(DeviceID)
    /// One command, with everything that happened to it.
    case command(CommandID)
    /// The power of the home.
    case energy
    /// Every command that was sent.
    case history
    /// What has happened to the devices.
    case events
    /// The commands that wait.
    case queue
    /// Commands that are due at certain times.
    case schedules
    /// What is done when something happens.
    case rules
    /// Bringing a boxed device into the home.
    case provisioning
    /// The channels, and what is wrong with the set-up.
    case channels
    /// How the app shows things.
    case settings
    /// No place of the app.
    case notFound(UnknownPath)
}

/// A path that leads nowhere.
public struct UnknownPath: Hashable, Sendable {
    /// The path as it was given.
    public let text: String

    /// Only this file makes one: from a path that leads nowhere.
    fileprivate init(text: String) { self.text = text }
}

extension Route {
    /// The place of a path. Every text leads somewhere: one that names no place is ``notFound(_:)``.
    public init(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        self = Self.place(parts) ?? .notFound(UnknownPath(text: path))
    }

    private static func place(_ parts: [String]) -> Route? {
        switch (parts.count, parts.first) {
        case (0, _): .home
        case (1, let name?): single.first { $0.path == "/\(name)" }
        case (2, "devices"): DeviceID(rawValue: parts[1]).map(Route.device)
        case (3, "devices") where parts[2] == "plan": DeviceID(rawValue: parts[1]).map(Route.plan)
        case (2, "commands"): CommandID(parts[1]).map(Route.command)
        default: nil
        }
    }

    private static let single: [Route] = [
        .rooms, .energy, .history, .events, .queue, .schedules, .rules, .provisioning, .channels,
        .settings,
    ]

    /// The place in an app without the part that it belongs to.
    public var missing: Route { .notFound(UnknownPath(text: path)) }

    /// The path of the place; it leads to the same place again.
    public var path: String {
        switch self {
        case .home: "/"
        case .rooms: "/rooms"
        case .device(let id): "/devices/\(id)"
        case .plan(let id): "/devices/\(id)/plan"
        case .command(let id): "/commands/\(id)"
        case .energy: "/energy"
        case .history: "/history"
        case .events: "/log"
        case .queue: "/queue"
        case .schedules: "/schedules"
        case .rules: "/rules"
        case .provisioning: "/provisioning"
        case .channels: "/channels"
        case .settings: "/settings"
        case .notFound(let path): path.text
        }
    }
}
