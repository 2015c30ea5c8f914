public import DeviceDomain
public import DeviceMessages
public import SharedPresentation

/// What ends a stay in the part of the app that watches and commands devices.
public enum DeviceControlEnding: Hashable, Sendable {
    /// The user wants to bring a new device in.
    case addDevice
    /// A device was forgotten; its places lead nowhere any more.
    case deviceForgotten(DeviceID)
}

/// The part of the app that watches and commands the devices of a home.
@MainActor
public final class DeviceControlCoordinator: AppModule {
    /// The home.
    public let home: HomeViewModel
    /// The rooms of the home.
    public let rooms: RoomsViewModel
    /// The power of the home.
    public let energy: EnergyViewModel
    /// What has happened in the home.
    public let history: HistoryViewModel
    /// The commands that wait.
    public let queue: QueueViewModel
    /// Commands that are due at certain times.
    public let schedules: SchedulesViewModel
    /// What is done when something happens.
    public let rules: RulesViewModel
    /// The channels, and what is wrong with the set-up.
    public let channels: ChannelsViewModel
    /// The settings of the app.
    public let settings: SettingsViewModel
    private let services: DeviceControlServices
    private let whenDone: @MainActor (DeviceControlEnding) -> Void
    private var devices: [DeviceID: DeviceViewModel] = [:]

    /// - Parameter whenDone: is told what ends a stay here.
    public init(
        _ services: DeviceControlServices,
        whenDone: @escaping @MainActor (DeviceControlEnding) -> Void
    ) {
        self.services = services
        self.whenDone = whenDone
        home = HomeViewModel(services.memory)
        rooms = RoomsViewModel(services.memory)
        energy = EnergyViewModel(services)
        history = HistoryViewModel(services)
        queue = QueueViewModel(services.memory)
        schedules = SchedulesViewModel(services)
        rules = RulesViewModel(services)
        channels = ChannelsViewModel(services)
        settings = SettingsViewModel(services.settings)
    }

    public var entries: [Route] {
        [.home, .energy, .history, .queue, .schedules, .rules, .channels, .settings]
    }

    public func owns(_ route: Route) -> Bool {
        switch route {
        case .home, .rooms, .device, .plan, .command, .energy, .history, .events, .queue,
            .schedules, .rules, .channels, .settings:
            true
        case .provisioning, .notFound: false
        }
    }

    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.memory.run() }
            group.addTask { await self.channels.run() }
            await group.next()
            group.cancelAll()
        }
    }

    /// The same for another person, over the same memory: what one enters and is told, the other does
    /// not see. Only the first one is run.
    public func separate() -> DeviceControlCoordinator {
        DeviceControlCoordinator(services, whenDone: whenDone)
    }

    private var memory: HomeMemory { services.memory }

    /// One device; the same view model each time, so that a form that was begun is still there.
    public func device(_ id: DeviceID) -> DeviceViewModel {
        if let device = devices[id] { return device }
        let device = DeviceViewModel(id, in: memory) { [weak self] in self?.forgotten($0) }
        // A link can name any id: only devices that are there are kept.
        if memory.devices[id] != nil { devices[id] = device }
        return device
    }

    /// One command.
    public func command(_ id: CommandID) -> CommandViewModel { CommandViewModel(id, in: memory) }

    /// Screens of these places stay open: what other processes may have changed is read again, once for all of them. A
    /// command is read by its own view model.
    public func readAgain(_ places: Set<Route>) async {
        let devices = places.compactMap { place -> DeviceID? in
            if case .device(let id) = place { id } else { nil }
        }
        if !devices.isEmpty || !places.isDisjoint(with: [.home, .rooms]) {
            await memory.readRooms()
        }
        if !places.isDisjoint(with: [.home, .queue]) { await memory.readOpenCommands() }
        for device in devices { await memory.readCommands(of: device) }
    }

    /// The user wants to bring a new device in.
    public func addDeviceButtonTapped() { whenDone(.addDevice) }

    /// A device in the list is to be forgotten.
    public func forgetButtonTapped(_ id: DeviceID) async { await device(id).forgetButtonTapped() }

    private func forgotten(_ id: DeviceID) {
        devices[id] = nil
        whenDone(.deviceForgotten(id))
    }
}
