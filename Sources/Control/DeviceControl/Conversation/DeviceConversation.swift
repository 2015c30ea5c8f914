internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The controller's side of its talk with one device: how it can be reached, what waits to be sent
/// and asked, and why something does not work.
struct DeviceConversation {
    /// A caller that waits for the end of the first attempt to listen.
    typealias Starter = CheckedContinuation<Void, Never>

    /// How far the listening is.
    enum Phase {
        /// The first attempt is under way; these callers wait for its end.
        case starting([Starter])
        /// It cannot listen at present, for this reason; it goes on trying.
        case failing(CommunicationError)
        /// What the device says reaches the invoker.
        case listening
        /// It will never listen, for this reason.
        case refused(CommunicationError)
        /// The channel was closed, or the invoker stops.
        case ended
    }

    /// What is known of the device's presence.
    enum Presence: Hashable {
        /// Nothing at all was heard, so that its silence proves nothing.
        case awaited
        /// What presence messages tell.
        case heard(ConnectionState)
    }

    /// The device, as it was known when the conversation began.
    private(set) var device: any Device
    /// The channel that was chosen for it.
    private(set) var channel: any CommunicationChannel
    /// What talks with the device over the channel.
    private(set) var service: any CommunicationService
    private(set) var phase = Phase.starting([])
    private(set) var presence: Presence
    /// The highest revision of the device's state that was seen.
    private(set) var revision: Int?
    /// What the device reported as applied of the kept settings, the newest last. A command that is taken over
    /// later may have its proof here, also where the device has taken another value since.
    private(set) var applied: [DesiredSettings] = []
    /// The device's newest description, where it came after the conversation had begun.
    private(set) var redescribed: DeviceProfile?

    /// A conversation that begins with what the device last reported.
    init(with device: any Device, over channel: any CommunicationChannel, awaitsPresence: Bool) {
        self.device = device
        self.channel = channel
        service = channel.service(for: device.id, in: device.profile.home)
        presence = awaitsPresence ? .awaited : .heard(device.report.connection)
        revision = device.report.revision
        if channel.traits.contains(.desired) {
            applied = DesiredSettings(reportedIn: device.report.state).map { [$0] } ?? []
        }
    }

    /// What the channel can report and guarantee.
    var traits: ChannelTraits { channel.traits }

    /// Whether commands can reach the device now, and why not.
    func reach(over link: ChannelLink) -> Reach {
        if case .refused(let error) = phase, let code = error.refusal {
            return .refused(code, error.message)
        }
        switch presence {
        case .awaited, .heard(.offline): return .offline
        case .heard(.unknown), .heard(.online): break
        }
        switch (phase, link) {
        case (.listening, .works): return .reachable
        case (.failing(let error), _), (.refused(let error), _): return .linkDown(error.message)
        case (_, .broken(let error)): return .linkDown(error.message)
        case (.starting, _), (.listening, _), (.ended, _): return .linkDown("")
        }
    }

    /// Whether a new attempt must be begun before anything can be sent.
    var isOver: Bool {
        switch phase {
        case .refused, .ended: true
        case .starting, .failing, .listening: false
        }
    }

    /// Whether the first attempt is under way.
    var isStarting: Bool { if case .starting = phase { true } else { false } }

    // MARK: Changes

    mutating func await(_ starter: Starter) {
        guard case .starting(let starters) = phase else { return starter.resume() }
        phase = .starting(starters + [starter])
    }

    /// Goes on to another phase.
    /// - Returns: the callers that waited for the end of the first attempt.
    mutating func enter(_ next: Phase) -> [Starter] {
        defer { phase = next }
        if case .starting(let starters) = phase { return starters }
        return []
    }

    /// Begins again after an end; what waits goes on waiting.
    mutating func restart(with device: any Device, over channel: any CommunicationChannel) {
        self.device = device
        self.channel = channel
        service = channel.service(for: device.id, in: device.profile.home)
        phase = .starting([])
    }

    /// Takes in a presence message.
    /// - Returns: whether it was applied; a stale will is ignored.
    mutating func apply(_ message: DeviceDomain.Presence) -> Bool {
        var connection = knownConnection
        guard connection.apply(message) else { return false }
        presence = .heard(connection)
        return true
    }

    /// Takes in a description. One that says what is known already shares its storage: schemas of all
    /// commands take several kilobytes a device.
    mutating func apply(_ profile: DeviceProfile) {
        redescribed = profile == device.profile ? device.profile : profile
    }

    /// Why the device does not take a command any more that it took when it was accepted; `nil` where it
    /// does, as far as it has described itself since.
    func refusal(of intent: CommandIntent) -> CommandRefusal? {
        guard let redescribed, !redescribed.commands.isEmpty else { return nil }
        do {
            _ = try GenericDevice(profile: redescribed)
                .request(intent.name, arguments: intent.arguments)
            return nil
        } catch {
            return error
        }
    }

    /// What was known of the device's presence was removed. One that was away is so still: whoever forgets a device
    /// clears what its broker keeps of it.
    mutating func losePresence() {
        if case .heard(.offline) = presence { return }
        presence = .heard(.unknown)
    }

    /// The device has left the channel.
    mutating func leave() { presence = .heard(.offline(boot: knownConnection.boot)) }

    /// Takes in the revision of a state.
    mutating func apply(revision: Int) {
        self.revision = max(revision, self.revision ?? revision)
    }

    /// Takes in what the device reports as applied.
    mutating func apply(_ settings: DesiredSettings) {
        guard applied.last != settings else { return }
        applied = applied.suffix(Self.rememberedReports - 1) + [settings]
    }

    /// How many different reports of applied settings are remembered.
    private static let rememberedReports = 4

    private var knownConnection: ConnectionState {
        switch presence {
        case .awaited: .unknown
        case .heard(let connection): connection
        }
    }
}

/// Whether a channel's link works, as far as commands are concerned.
enum ChannelLink: Sendable {
    /// Commands can be sent; also while nothing else is known.
    case works
    /// It is being set up.
    case starting
    /// It is broken.
    case broken(CommunicationError)

    init(_ state: LinkState) {
        switch state {
        case .connected, .limited: self = .works
        case .connecting: self = .starting
        case .lost(let error, retryIn: _): self = .broken(error)
        }
    }

    /// Whether commands are told of the same by both. Another wording of the same failure is no
    /// news: every attempt to reconnect would be written into the ledger.
    func isSame(as other: ChannelLink) -> Bool {
        switch (self, other) {
        case (.works, .works), (.starting, .starting): true
        case (.broken(let mine), .broken(let others)): mine.code == others.code
        case (.works, _), (.starting, _), (.broken, _): false
        }
    }
}

extension CommunicationError {
    /// The code of a command that never left, if this failure makes trying again useless; `nil`
    /// where it may succeed later, be it in another process.
    var refusal: AckCode? {
        guard !isRetriable else { return nil }
        switch code {
        case .notPermitted, .credentialsRefused, .tlsRefused: return .forbidden
        case .cannotExpress: return .badRequest
        case .unreachable, .timedOut, .notConnected, .linkLost, .overloaded, .closed: return nil
        default: return .notReady
        }
    }
}
