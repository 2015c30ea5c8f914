internal import DeviceDomain
internal import DeviceMessages

/// A page by its address.
enum Route: Hashable, Sendable {
    case home
    case device(DeviceID)
    case plan(DeviceID)
    case command(CommandID)
    case energy, queue, schedules, provisioning, channels, settings

    /// The page of a path; `nil` where there is none.
    init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        switch (parts.count, parts.first) {
        case (0, _): self = .home
        case (1, let name?):
            guard let route = Self.single.first(where: { $0.path == "/\(name)" }) else {
                return nil
            }
            self = route
        case (2, "devices"):
            guard let id = DeviceID(rawValue: parts[1]) else { return nil }
            self = .device(id)
        case (3, "devices"):
            guard let id = DeviceID(rawValue: parts[1]), parts[2] == "plan" else { return nil }
            self = .plan(id)
        case (2, "commands"):
            guard let id = CommandID(parts[1]) else { return nil }
            self = .command(id)
        default: return nil
        }
    }

    private static let single: [Route] = [
        .energy, .queue, .schedules, .provisioning, .channels, .settings,
    ]

    /// The path of the page.
    var path: String {
        switch self {
        case .home: "/"
        case .device(let id): "/devices/\(id)"
        case .plan(let id): "/devices/\(id)/plan"
        case .command(let id): "/commands/\(id)"
        case .energy: "/energy"
        case .queue: "/queue"
        case .schedules: "/schedules"
        case .provisioning: "/provisioning"
        case .channels: "/channels"
        case .settings: "/settings"
        }
    }
}
