internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

extension ChannelConformance {
    /// An id that no command has.
    var newID: CommandID {
        return CommandID(at: MachineClock().now.wall)
    }

    /// A sequence number that is higher than those before, as the ledger allots them.
    var nextSequence: Int { MachineClock().now.wall.milliseconds }

    /// The peer's command, made now.
    func intent(for profile: DeviceProfile) -> CommandIntent {
        let now = MachineClock().now.wall
        let specification = profile.specification(of: peer.command)
        return CommandIntent(
            id: newID, controller: peer.controller, home: peer.home, device: peer.device,
            name: peer.command, arguments: peer.arguments, lane: specification?.lane ?? .normal,
            sort: specification?.sort ?? .action, issuedAt: now,
            expiresAt: now.advanced(by: .seconds(60)))
    }

    /// Opens the channel, hears what the device is, and begins a conversation with it.
    func conversation(
        over channel: any CommunicationChannel, for rule: ConformanceRule
    ) async throws -> (service: any CommunicationService, profile: DeviceProfile) {
        let home = try await ObservedHome(peer, over: channel, limit)
        let profile = try await home.profile(for: rule)
        guard profile.specification(of: peer.command) != nil else {
            throw ConformanceViolation(
                rule, "\(peer.device) does not describe the command \(peer.command)")
        }
        let service = channel.service(for: peer.device, in: peer.home)
        try await service.connect(to: GenericDevice(profile: profile))
        return (service, profile)
    }

    /// Sends the peer's command.
    /// - Throws: a violation unless the link confirms it.
    @discardableResult
    func confirm(
        _ rule: ConformanceRule, _ service: any CommunicationService, _ profile: DeviceProfile
    ) async throws -> CommandID {
        let prepared = try service.prepare(intent(for: profile), sequence: nextSequence)
        let receipt = try await service.sendMessage(prepared, attempt: 1)
        switch receipt {
        case .confirmed, .confirmedWithoutEvidence: return prepared.id
        case .noReceiver, .refused:
            throw ConformanceViolation(rule, "the link answers with \(receipt)")
        }
    }

    /// The first evidence of a command that comes; the last one, where it is final.
    /// - Parameter id: `nil` for any command.
    func evidence(
        of id: CommandID?, in service: any CommunicationService
    ) async -> CommandEvidence? {
        await timed {
            for await message in service.messages {
                if case .evidence(let evidence) = message.content, id == nil || evidence.id == id {
                    return evidence
                }
            }
            return nil
        }
    }

    /// Does something while there is no link, and lets it be made again.
    func withoutLink(
        _ rule: ConformanceRule, _ channel: any CommunicationChannel,
        _ body: () async throws -> Void
    ) async throws {
        let states = channel.linkStates()
        try await peer.loseLink()
        do {
            _ = try await first(rule, "the loss of the link was not reported") {
                for await state in states {
                    if case .lost = state { return true }
                }
                return nil
            }
            try await body()
        } catch {
            try await peer.restoreLink()
            throw error
        }
        try await peer.restoreLink()
    }

    /// Waits until the link works.
    func connected(_ rule: ConformanceRule, _ channel: any CommunicationChannel) async throws {
        _ = try await first(rule, "the link was not made again") {
            for await state in channel.linkStates() where state.isConnected { return true }
            return nil
        }
    }

    /// - Throws: a violation unless a call says that the channel cannot express it.
    func refusal<Value>(
        _ rule: ConformanceRule, _ trait: String, _ call: () async throws -> Value
    ) async throws {
        do {
            _ = try await call()
        } catch let error as CommunicationError {
            guard error.code == .cannotExpress, error.certainty == .neverLeft else {
                throw ConformanceViolation(
                    rule, "without the trait \(trait) it fails with \(error.code): \(error)")
            }
            return
        }
        throw ConformanceViolation(rule, "it answers without the trait \(trait)")
    }

    /// What comes within the limit.
    /// - Throws: a violation where nothing does.
    func first<Value: Sendable>(
        _ rule: ConformanceRule, _ otherwise: String, _ wait: @escaping @Sendable () async -> Value?
    ) async throws -> Value {
        guard let value = await timed(wait) else {
            throw ConformanceViolation(rule, "\(otherwise) within \(limit)")
        }
        return value
    }

    private func timed<Value: Sendable>(
        _ wait: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await wait() }
            group.addTask { [limit] in
                try? await Task.sleep(for: limit)
                return nil
            }
            let value = await group.next() ?? nil
            group.cancelAll()
            return value
        }
    }
}

/// What a channel reports of the home of a peer.
final class ObservedHome: Sendable {
    fileprivate struct State {
        var devices: Set<DeviceID> = []
        var profile: DeviceProfile?
        var isOffline = false
        var isHeard = false
    }

    private let peer: any ChannelPeer
    private let state = Guarded(State())
    private let news: BoundedStream<Void>
    private let source: StreamSource<Void>
    private let limit: Duration
    private let observation: Guarded<ChannelObservation?>

    /// Opens the channel, observes the home and waits until it was replayed.
    init(
        _ peer: any ChannelPeer, over channel: any CommunicationChannel, _ limit: Duration
    ) async throws {
        self.peer = peer
        self.limit = limit
        (news, source) = BoundedStream.make(.dropOldest(limit: 1))
        observation = Guarded(nil)
        try await channel.open()
        let begun = channel.observe(peer.home, .everyDevice) { [weak self] in self?.take($0) }
        observation.withLock { $0 = begun }
        let device = peer.device
        _ = try await channel.replay(peer.home, .everyDevice) { [device] }
    }

    private func take(_ observation: DeviceObservation) {
        state.withLock { $0.apply(observation, of: peer.device) }
        source.send(())
    }

    deinit { observation.withLock { $0 }?.cancel() }

    /// The devices that were heard.
    var devices: Set<DeviceID> { state.withLock { $0.devices } }

    /// Whether the device was last reported as offline.
    var isOffline: Bool { state.withLock { $0.isOffline } }

    /// Nothing counts as heard until it is heard again.
    func forget() { state.withLock { $0.isHeard = false } }

    /// What the device is.
    func profile(for rule: ConformanceRule) async throws -> DeviceProfile {
        try await wait(rule, "\(peer.device) has not described itself") { $0.profile }
    }

    /// Waits until something is heard of the device.
    func heardAgain(for rule: ConformanceRule) async throws {
        _ = try await wait(rule, "nothing is heard of \(peer.device)") { $0.isHeard ? true : nil }
    }

    private func wait<Value: Sendable>(
        _ rule: ConformanceRule, _ otherwise: String,
        _ value: @escaping @Sendable (State) -> Value?
    ) async throws -> Value {
        try await ChannelConformance(of: peer, within: limit).first(rule, otherwise) {
            if let found = self.state.withLock({ value($0) }) { return found }
            for await _ in self.news {
                if let found = self.state.withLock({ value($0) }) { return found }
            }
            return nil
        }
    }
}

extension ObservedHome.State {
    fileprivate mutating func apply(_ observation: DeviceObservation, of device: DeviceID) {
        switch observation.content {
        case .description(let profile):
            devices.insert(observation.device)
            if observation.device == device { self.profile = profile }
        case .presence(let presence) where observation.device == device:
            isOffline = presence.status == .offline
        case .presence, .state, .telemetry, .event, .evidence, .cleared, .removed, .problem: break
        }
        if observation.device == device { isHeard = true }
    }
}
