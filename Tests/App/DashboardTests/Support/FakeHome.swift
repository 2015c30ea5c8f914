import Automation
import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import History
import HomeModel
import SharedPresentation
import Synchronization

/// A home without channels and storage: the test says what is heard and what fails.
final class FakeHome: HomeService {
    let id: HomeID
    /// How often the rooms were read.
    let roomReadings = CallCount()
    /// How often the waiting commands were read.
    let waitingReadings = CallCount()
    private let live: LiveHome
    private let channel: ChannelID
    private let failing = Mutex<Failure?>(nil)
    private let kept = Mutex<String?>(nil)
    private let sent = Mutex<[CommandRecord]>([])
    private let named = Mutex(HomeLabels())
    private let facts = Mutex<[DeviceID: [RecordedFact]]>([:])
    private let ruled = Mutex<[Rule]>([])
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

    /// From now on these facts are kept of a device.
    func keep(_ kept: [RecordedFact], of device: String) throws {
        let id = try DeviceID(device)
        facts.withLock { $0[id] = kept }
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

    func firstSample(of device: DeviceID) async throws(Failure) -> Timestamp? {
        try check()
        return earlier.withLock { $0[device]?.lastDay.first?.at }
    }

    func means(
        of device: DeviceID, from start: Timestamp, to end: Timestamp, every length: Duration
    ) async throws(Failure) -> [RecordedSample] {
        try check()
        let kept = earlier.withLock { $0[device]?.lastDay } ?? []
        let period = (start..<max(start, end)).whole(length.wholeMilliseconds)
        var means = MeanBlock()
        means.add(
            kept.filter { period.contains($0.at.milliseconds) }, length: length.wholeMilliseconds)
        return means.samples(length: length.wholeMilliseconds) { _ in true }
    }

    func facts(
        of device: DeviceID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> [RecordedFact] {
        try check()
        return facts.withLock { $0[device] ?? [] }.filter { $0.at >= start && $0.at < end }
    }

    func forget(_ device: DeviceID) async throws(Failure) -> String? {
        try check()
        hear(.removed, from: device)
        return kept.withLock(\.self)
    }

    func rules() async throws(Failure) -> [Rule] { try nothing(ruled.withLock(\.self)) }

    func addRule(_ plan: RulePlan) async throws(Failure) {
        try check()
        ruled.withLock { rules in
            let id = RuleID(number: (rules.last?.id.number ?? 0) + 1)
            rules.append(
                Rule(id: id, plan: plan, since: Timestamp(milliseconds: 1_764_000_000_000)))
        }
    }

    func pauseRule(_ rule: RuleID, _ isPaused: Bool) async throws(Failure) {
        try check()
        ruled.withLock { rules in
            guard let index = rules.firstIndex(where: { $0.id == rule }) else { return }
            rules[index].pause =
                isPaused ? RulePause(at: Timestamp(milliseconds: 1_764_000_000_000)) : nil
        }
    }

    /// The rules have run for this reason, and were stopped for another.
    func stopRules(_ reason: String, after cause: String) {
        let at = Timestamp(milliseconds: 1_764_000_000_000)
        ruled.withLock { rules in
            for index in rules.indices {
                rules[index].lastRun = Rule.LastRun(at: at, cause: cause)
                rules[index].pause = RulePause(at: at, reason: reason)
            }
        }
    }

    func removeRule(_ rule: RuleID) async throws(Failure) {
        try check()
        ruled.withLock { $0.removeAll { $0.id == rule } }
    }

    func ruleRun(ofCause cause: String?) async throws(Failure) -> RecordedRun? { try nothing(nil) }

    func rehearseRule(
        _ rule: RuleID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> RuleRehearsal {
        try check()
        guard let rule = ruled.withLock({ $0.first { $0.id == rule } }) else {
            throw Failure("there is no such rule", .lookAgain, code: "unknown-rule")
        }
        var rehearsal = RuleRehearsal(of: rule)
        rehearsal.deviceCount = 1
        rehearsal.runs = [
            RuleRun(
                rule: rule.id, device: nil, at: start, cause: "sweeper-1 reported stuck",
                occasion: "event:1", targets: [], chain: [rule.id])
        ]
        return rehearsal
    }

    func labels() async throws(Failure) -> HomeLabels {
        roomReadings.add()
        return try nothing(named.withLock(\.self))
    }

    func name(_ device: DeviceID, _ name: GivenName?) async throws(Failure) {
        try relabel { labels throws(LabelRefusal) in try labels.name(device, name) }
    }

    func move(_ device: DeviceID, toRoom room: String?) async throws(Failure) {
        try relabel { labels throws(LabelRefusal) in try labels.move(device, to: room) }
    }

    func addRoom(_ room: GivenName) async throws(Failure) {
        try relabel { labels throws(LabelRefusal) in try labels.addRoom(room) }
    }

    func removeRoom(_ room: String) async throws(Failure) {
        try relabel { labels throws(LabelRefusal) in try labels.removeRoom(room) }
    }

    private func relabel(
        _ change: (inout HomeLabels) throws(LabelRefusal) -> Void
    ) throws(Failure) {
        try check()
        var labels = named.withLock(\.self)
        do { try change(&labels) } catch {
            throw Failure("\(error)", .changeEntry, code: "name-taken")
        }
        named.withLock { $0 = labels }
        live.learn(labels)
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

    func history(_ filter: CommandFilter) async throws(Failure) -> [CommandRecord] {
        let all = try nothing(sent.withLock(\.self)).filter { record in
            filter.devices?.contains(record.intent.device) ?? true
                && filter.states?.contains(record.state) ?? true
                && filter.since.map { record.intent.issuedAt >= $0 } ?? true
                && filter.until.map { record.intent.issuedAt < $0 } ?? true
        }
        return Array(all.dropFirst(filter.offset).prefix(filter.limit))
    }

    func waitingCommands() async throws(Failure) -> [CommandRecord] {
        waitingReadings.add()
        return try nothing(sent.withLock(\.self)).filter {
            $0.progress.isWaiting || ($0.progress.isOpen && $0.progress.isKept)
        }
    }

    func explain(_ command: CommandID) async throws(Failure) -> CommandExplanation {
        try check()
        guard let record = sent.withLock({ $0.first { $0.id == command } }) else {
            throw Failure("there is no such command", .lookAgain)
        }
        return CommandExplanation(record, [], at: record.intent.issuedAt)
    }

    func schedules() async throws(Failure) -> [Schedule] { try nothing([]) }

    func addSchedule(
        _ command: ScheduledCommand, at rule: ScheduleRule
    ) async throws(Failure) { try check() }

    func changeSchedule(
        _ schedule: ScheduleID, _ arguments: JSONObject, at rule: ScheduleRule
    ) async throws(Failure) { try check() }

    func pauseSchedule(
        _ schedule: ScheduleID, _ isPaused: Bool
    ) async throws(Failure) { try check() }

    func removeSchedule(_ schedule: ScheduleID) async throws(Failure) { try check() }
}
