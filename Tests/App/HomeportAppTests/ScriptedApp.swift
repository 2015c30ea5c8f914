import AppCoordination
import DeviceControlPresentation
import Homeport
import HomeportApp
import HomeportTesting
import ProvisioningPresentation
import SharedPresentation
import Testing

/// An app over a scripted channel, in which devices appear as the test says.
@MainActor
struct ScriptedApp {
    let home: Home
    let channel: ScriptedChannel
    let memory: HomeMemory
    let clock: ManualClock
    let provisioning: ScriptedProvisioning
    let settings: InMemorySettings
    let doctor: ScriptedDoctor
    let fleet: ScriptedFleet
    let app: AppCoordinator

    /// The view models of the part that watches and commands devices.
    var devices: DeviceControlCoordinator {
        get throws { try #require(app.deviceControl) }
    }

    static func run(
        connected: Bool = true, hasProvisioning: Bool = true, hasSimulation: Bool = true,
        ledger: LedgerLocation = .memory, at path: String = "/",
        announcing models: [(model: String, id: String)] = [],
        _ body: (ScriptedApp) async throws -> Void
    ) async throws {
        let channel = ScriptedChannel(id: try ChannelID("test"), connected: connected)
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [ChannelSetup(channel)], ledger: ledger,
            takesOverOpenCommands: false)
        try await withHome(configuration) { home in
            let app = ScriptedApp(home, channel, hasProvisioning, hasSimulation, path)
            for device in models { try app.announce(device.model, as: device.id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await app.app.run() }
                defer { group.cancelAll() }
                try await body(app)
            }
        }
    }

    private init(
        _ home: Home, _ channel: ScriptedChannel, _ hasProvisioning: Bool, _ hasSimulation: Bool,
        _ path: String
    ) {
        self.home = home
        self.channel = channel
        memory = HomeMemory(LiveHomeService(home))
        clock = ManualClock()
        provisioning = ScriptedProvisioning()
        settings = InMemorySettings()
        doctor = ScriptedDoctor()
        fleet = ScriptedFleet()
        var parts = [
            AppPart.deviceControl(
                DeviceControlServices(
                    memory: memory, doctor: doctor, settings: settings, clock: clock,
                    calendar: LocalCalendar { _ in 0 }))
        ]
        if hasProvisioning { parts.append(.provisioning(provisioning)) }
        if hasSimulation { parts.append(.simulation(fleet, of: memory)) }
        app = AppCoordinator(parts, at: path)
    }

    /// Lets a device of a model appear, online.
    func announce(_ model: String, as id: String, name: String? = nil) throws {
        let device = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: model), id: try DeviceID(id), home: home.id, name: name)
        channel.announce(device.profile)
    }

    /// Lets a device publish something.
    func deliver(_ content: DeviceObservation.Content, from id: String) throws {
        channel.deliver(content, from: try DeviceID(id), in: home.id)
    }
}

/// Checks that find what the test says.
final class ScriptedDoctor: DoctorService {
    func findings() async -> [DoctorFinding] {
        [DoctorFinding(check: "broker", status: .warning, cause: "slow", remedy: "wait")]
    }
}
