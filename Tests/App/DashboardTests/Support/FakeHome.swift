import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeModel
import SharedPresentation
import Synchronization

/// A home without channels and storage: the test says what is heard and what fails.
final class FakeHome: HomeService {
    let id: HomeID
    private let live: LiveHome
    private let channel: ChannelID
    private let failing = Mutex<Failure?>(nil)
    private let kept = Mutex<String?>(nil)
    private let sent = Mutex<[CommandRecord]>([])
    private let earlier = Mutex<[DeviceID: EarlierSamples]>([:])

    init() throws {
        id = try HomeID("home-1")
        channel = try ChannelID("mqtt")
        live = LiveHome(id) { Timestamp(milliseconds: 1_764_000_000_000) }
    }

    /// Lets a device of a model appear.
    func announce(_ model: String, as device: String) throws {
        let device = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: model), id: try DeviceID(device), home: id)
        hear(.description(device.profile), from: device.id)
    }

    /// Lets a device say that it is online, or that it is not.
    func presence(_ status: PresenceReport.Status, of device: String) throws {
        hear(.presence(Presence(status)), from: try DeviceID(device))
    }

    /// Lets a device report its state.
    func state(_ members: JSONObject, of device: String, secondsLater: Int = 0) throws {
        let at = Timestamp(milliseconds: 1_764_000_000_000 + secondsLater * 1_000)
        hear(.state(StateReport(members, at: at)), from: try DeviceID(device))
    }

    /// The link to every device is lost.
    func loseLink() {
        live.link(
            of: channel,
            is: .lost(CommunicationError(.unreachable, "nobody answers"), retryIn: .seconds(1)))
    }

    /// Lets a device report a sample.
    func sample(_ values: JSONObject, of device: String, secondsLater: Int = 0) throws {
        let at = Timestamp(milliseconds: 1_764_000_000_000 + secondsLater * 1_000)
        hear(.telemetry(TelemetryReport(values, at: at)), from: try DeviceID(device))
    }

    private func hear(_ content: DeviceObservation.Content, from device: DeviceID) {
        live.apply(DeviceObservation(channel: channel, home: id, device: device, content: content))
    }

    /// From now on everything fails, or succeeds again.
    func fail(_ failure: Failure?) { failing.withLock { $0 = failure } }

    /// From now on the ledger has these commands.
    func record(_ commands: [CommandRecord]) { sent.withLock { $0 = commands } }

    /// From now on a forgotten device comes back, for this reason.
    func keep(because reason: String) { kept.withLock { $0 = reason } }

    /// From now on this was kept of a device before, and the device is in the ledger.
    func keep(_ samples: EarlierSamples, of device: String) throws {
        let id = try DeviceID(device)
        earlier.withLock { $0[id] = samples }
    }

    private func check() throws(Failure) {
        if let failure = failing.withLock({ $0 }) { throw failure }
    }

    private func nothing<Value>(_ empty: Value) throws(Failure) -> Value {
        try check()
        return empty
    }

    // MARK: The service

    func address(of channel: ChannelID) -> String { "mqtt://127.0.0.1:1883" }
    func latest(_ device: DeviceID) -> KnownDevice? { live.device(device) }
    func changes() -> HomeChanges { live.changes() }
    func recallDevices() async throws(Failure) -> [KnownDevice] {
        let kept = earlier.withLock(\.self)
        return try nothing(live.model.allDevices.filter { kept[$0.id] != nil })
    }

    func earlierSamples(of device: DeviceID) async throws(Failure) -> EarlierSamples {
        try check()
        return earlier.withLock { $0[device] } ?? EarlierSamples()
    }

    func forget(_ device: DeviceID) async throws(Failure) -> String? {
        try check()
        hear(.removed, from: device)
        return kept.withLock(\.self)
    }

    func send(
        _ name: CommandName, _ arguments: JSONObject, to device: DeviceID, options: CommandOptions
    ) async throws(Failure) -> SentCommand {
        try check()
        throw Failure("nobody is there", .checkConnection)
    }

    func undo(_ device: DeviceID) async throws(Failure) -> SentCommand {
        throw Failure("there is nothing to undo", .lookAgain)
    }

    func redo(_ device: DeviceID) async throws(Failure) -> SentCommand { try await undo(device) }

    func cancel(
        _ command: CommandID
    ) async throws(Failure) -> (CommandRecord, reason: String?) {
        try check()
        throw Failure("there is no such command", .lookAgain)
    }

    func putAway(_ command: CommandID) async throws(Failure) -> CommandRecord {
        try check()
        throw Failure("there is no such command", .lookAgain)
    }

    func history(
        of device: DeviceID?, limit: Int
    ) async throws(Failure) -> [CommandRecord] { try nothing(sent.withLock(\.self)) }

    func waitingCommands() async throws(Failure) -> [CommandRecord] { try nothing([]) }

    func explain(_ command: CommandID) async throws(Failure) -> CommandExplanation {
        try check()
        throw Failure("there is no such command", .lookAgain)
    }

    func schedules() async throws(Failure) -> [Schedule] { try nothing([]) }

    func addSchedule(
        _ command: ScheduledCommand, at rule: ScheduleRule
    ) async throws(Failure) { try check() }

    func removeSchedule(_ schedule: ScheduleID) async throws(Failure) { try check() }
}
