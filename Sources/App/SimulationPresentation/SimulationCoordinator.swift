public import DeviceDomain
public import SharedPresentation

/// The part of the app that gives simulated devices faults. It has no place of its own: its section
/// stands on the screens of devices.
@MainActor
public final class SimulationCoordinator: AppModule {
    private let home: HomeMemory
    private let service: any SimulationService
    private let memory = SimulationMemory()

    /// - Parameter home: what is known of the home; it is kept up to date elsewhere.
    public init(_ service: any SimulationService, of home: HomeMemory) {
        self.service = service
        self.home = home
    }

    public var entries: [Route] { [] }

    public func owns(_ route: Route) -> Bool { false }

    /// Ends at once: a screen that is open asks again by itself.
    public func run() async {}

    /// The simulation of one device; what was entered into its forms is this view model's own.
    public func device(_ id: DeviceID) -> SimulationViewModel {
        SimulationViewModel(id, in: memory, of: home, asking: service)
    }
}
