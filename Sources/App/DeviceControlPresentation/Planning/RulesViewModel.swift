public import Automation
internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import HomeModel
public import Observation
public import SharedPresentation

/// What is done when something happens.
@MainActor @Observable
public final class RulesViewModel {
    /// Devices or a kind of devices, and the commands that they take.
    public struct Receiver: Hashable, Sendable {
        /// What it is.
        public enum Subject: Hashable, Sendable {
            case device(DeviceID)
            case kind(DeviceKind)
        }

        /// What it is.
        public let subject: Subject
        /// The commands, in the order in which the device declares them.
        public let commands: [CommandName]
    }

    /// What a rule would have done.
    public struct Rehearsal: Hashable, Sendable {
        /// From when on (wire clock).
        public let start: Timestamp
        /// What was found, or why that is not known.
        public let result: Result<RuleRehearsal, Failure>
    }

    /// How much of the past is looked at for a rule that is tried.
    public static let rehearsedPast = Duration.seconds(86_400)

    /// What the screen shows.
    public private(set) var state = ScreenState<[Rule]>.loading
    /// The rule that the user is making; `nil` for none.
    public var draft: RuleDraftForm?
    /// What the rule would have done that the user tries; `nil` for none.
    public private(set) var rehearsals: [RuleID: Rehearsal] = [:]
    /// Why a rule was not removed, paused or resumed; `nil` where there is nothing to say.
    public private(set) var failure: Failure?
    @ObservationIgnored private let services: DeviceControlServices

    init(_ services: DeviceControlServices) { self.services = services }

    private var memory: HomeMemory { services.memory }

    /// The screen has appeared: the rules are read, and the rooms that they can be about.
    public func appeared() async {
        await memory.readRooms()
        await read()
    }

    private func read() async {
        do throws(Failure) {
            let rules = try await memory.service.rules()
            state = rules.isEmpty ? .empty : .content(rules)
        } catch {
            state = .failed(error)
        }
    }

    // MARK: What can be chosen

    /// What a device is called.
    public func name(of device: DeviceID) -> String { memory.devices[device]?.name ?? device.text }

    /// The devices, in the order of their ids.
    public var devices: [DeviceID] { memory.allDevices.map(\.id) }

    /// The kinds of the devices, in the order of their names.
    public var kinds: [DeviceKind] {
        Set(memory.allDevices.compactMap(\.known.profile?.kind))
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The rooms that the user has made.
    public var rooms: [GivenName] { memory.rooms }

    /// Who takes commands: each kind, then each device.
    public var receivers: [Receiver] {
        let profiles = memory.allDevices.compactMap(\.known.profile)
        let each = kinds.map { kind in
            Receiver(
                subject: .kind(kind),
                commands: profiles.first { $0.kind == kind }?.commands.map(\.name) ?? [])
        }
        let one = memory.allDevices.map { device in
            Receiver(
                subject: .device(device.id),
                commands: device.known.profile?.commands.map(\.name) ?? [])
        }
        return (each + one).filter { !$0.commands.isEmpty }
    }

    /// The events that devices report.
    public var events: [EventName] { EventName.standard }

    /// What the devices report that a rule may be about, and can be compared: a number, a word, yes or no; in the order
    /// of the names.
    public func members(for deed: RuleDeed) -> [String] {
        var names: Set<String> = []
        for device in memory.devices.values where deed.mayBeAbout(device.known) {
            for values in [device.known.state?.members, device.known.telemetry?.values] {
                for (name, value) in values ?? [:] where value.isScalar { names.insert(name) }
            }
        }
        return names.sorted()
    }

    // MARK: Making one

    /// A rule is to be made; one for a command that its receivers do not have is ignored.
    public func addButtonTapped(_ occasion: RuleOccasion, _ deed: RuleDeed) {
        guard let name = deed.command else {
            draft = RuleDraftForm(occasion, deed)
            return
        }
        let profile =
            switch deed {
            case .notify: DeviceProfile?.none
            case .send(_, let device): memory.devices[device]?.known.profile
            case .sendToEach(_, let kind):
                memory.allDevices.compactMap(\.known.profile).first {
                    $0.kind == kind && $0.specification(of: name) != nil
                }
            }
        guard let specification = profile?.specification(of: name) else { return }
        let rooms = profile?.plan
        draft = RuleDraftForm(
            occasion, deed, CommandForm(specification, rooms: rooms?.rooms.map(\.id)), rooms: rooms)
    }

    /// The draft is to be kept.
    public func saveButtonTapped() async {
        guard var draft else { return }
        draft.problem = nil
        do throws(RuleDraftForm.Mistake) {
            let plan = try draft.plan()
            do { try await memory.service.addRule(plan) } catch {
                throw RuleDraftForm.Mistake(problem: .refused(error))
            }
            self.draft = nil
            await read()
        } catch {
            draft.problem = error.problem
            self.draft = draft
        }
    }

    /// The draft is to be thrown away.
    public func cancelButtonTapped() { draft = nil }

    // MARK: What is there

    /// The user wants to know what a rule would have done lately.
    public func testButtonTapped(_ rule: RuleID) async {
        let now = services.clock.now.wall
        let start = now.advanced(by: .zero - Self.rehearsedPast)
        let result: Result<RuleRehearsal, Failure>
        do throws(Failure) {
            result = .success(try await memory.service.rehearseRule(rule, from: start, to: now))
        } catch {
            result = .failure(error)
        }
        rehearsals[rule] = Rehearsal(start: start, result: result)
    }

    /// A rule is to be removed.
    public func removeButtonTapped(_ rule: RuleID) async {
        await attempt { () async throws(Failure) in try await memory.service.removeRule(rule) }
    }

    /// A rule is to pause.
    public func pauseButtonTapped(_ rule: RuleID) async {
        await attempt { () async throws(Failure) in
            try await memory.service.pauseRule(rule, true)
        }
    }

    /// A rule that is paused is to run again.
    public func resumeButtonTapped(_ rule: RuleID) async {
        await attempt { () async throws(Failure) in
            try await memory.service.pauseRule(rule, false)
        }
    }

    private func attempt(_ body: () async throws(Failure) -> Void) async {
        do {
            try await body()
            failure = nil
        } catch {
            failure = error
        }
        await read()
    }
}

extension RuleDeed {
    /// Whether a rule that does this may be about a device.
    fileprivate func mayBeAbout(_ device: KnownDevice) -> Bool {
        guard case .sendToEach(_, let kind) = self else { return true }
        return device.profile?.kind == kind
    }
}

extension JSONValue {
    /// Whether a condition can compare it as it is.
    fileprivate var isScalar: Bool { number != nil || string != nil || boolean != nil }
}
