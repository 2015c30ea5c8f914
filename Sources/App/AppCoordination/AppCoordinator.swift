public import DeviceControlPresentation
internal import DeviceDomain
public import Observation
public import ProvisioningPresentation
public import SharedPresentation
public import SimulationPresentation

/// Leads through the app: it starts the coordinators of the parts that are registered, and shows what
/// is to be shown when one tells that it is done.
@MainActor @Observable
public final class AppCoordinator {
    /// Where the app is.
    public private(set) var route: Route
    /// Where it was before, the last place at the end; the back button leads there.
    public private(set) var visited: [Route] = []
    @ObservationIgnored private var modules: [any AppModule] = []

    /// How many places the back button can go back.
    public static let longestWay = 50

    /// - Parameters:
    ///   - parts: what the app consists of.
    ///   - path: where it was when it ended last; any text leads somewhere.
    public init(_ parts: [AppPart], at path: String = Route.home.path) {
        route = .home
        modules = parts.map { $0.make(self) }
        route = place(Route(path: path))
    }

    /// The places that the navigation offers, in the order of the parts.
    public var entries: [Route] { modules.flatMap(\.entries) }

    /// The devices and what can be done with them; `nil` in an app without that part.
    public var deviceControl: DeviceControlCoordinator? { module() }

    /// Bringing devices in; `nil` in an app without that part.
    public var provisioning: ProvisioningCoordinator? { module() }

    /// The faults of simulated devices; `nil` in an app without that part.
    public var simulation: SimulationCoordinator? { module() }

    private func module<Module: AppModule>() -> Module? {
        for module in modules { if let found = module as? Module { return found } }
        return nil
    }

    /// Keeps every part up to date until the task is cancelled.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            for module in modules { group.addTask { await module.run() } }
        }
    }

    // MARK: Going places

    /// The place that a path leads to in this app.
    public func place(at path: String) -> Route { place(Route(path: path)) }

    private func place(_ route: Route) -> Route {
        modules.contains { $0.owns(route) } ? route : route.missing
    }

    /// Opens a place.
    public func open(_ route: Route) {
        let place = place(route)
        guard place != self.route else { return }
        visited.append(self.route)
        if visited.count > Self.longestWay { visited.removeFirst() }
        self.route = place
    }

    /// Opens the place of a link.
    public func linkOpened(_ path: String) { open(Route(path: path)) }

    /// Goes back to the place before; stays where there is none.
    public func backButtonTapped() {
        guard let last = visited.popLast() else { return }
        route = last
    }

    // MARK: What the parts tell

    func provisioningEnded(_ ending: WizardEnding) {
        switch ending {
        // Back must not lead into a wizard that is done.
        case .added(let device): replace(with: .device(device))
        case .left: replace(with: .home)
        }
    }

    func deviceControlEnded(_ ending: DeviceControlEnding) {
        switch ending {
        case .deviceForgotten(let device): leave(device)
        case .addDevice: open(.provisioning)
        }
    }

    private func replace(with route: Route) {
        self.route = place(route)
        if visited.last == self.route { visited.removeLast() }
    }

    private func leave(_ device: DeviceID) {
        visited.removeAll { $0.device == device }
        if route.device == device { replace(with: .home) }
    }
}

extension Route {
    /// The device that the place is about; `nil` for none.
    fileprivate var device: DeviceID? {
        switch self {
        case .device(let device), .plan(let device): device
        case .home, .rooms, .command, .energy, .history, .events, .queue, .schedules, .rules,
            .provisioning, .channels, .settings, .notFound:
            nil
        }
    }
}
