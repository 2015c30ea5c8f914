import Homeport
import Synchronization

/// A channel to the lamps of a bus.
///
/// The bus confirms what it has switched, and reports every lamp. So the channel has `delivery`, `effect` and
/// `order`; it cannot tell a repeated command from a new one, so it does not have `deduplication`, and what
/// may have left is never sent again.
final class LampChannel: CommunicationChannel {
    let id: ChannelID
    let kind = ChannelKind(rawValue: "lamp-bus")
    let traits: ChannelTraits = [.delivery, .effect, .order]
    let reportsTelemetry = false
    let home: HomeID
    let bus: LampBus

    /// What observers and conversations share.
    private struct State {
        var link = LinkState.connecting
        var listener: Int?
        var isClosed = false
        var lastObserver = 0
        var observers: [Int: (scope: HomeScope, sink: ObservationSink)] = [:]
        var conversations: [Int: (lamp: DeviceID, source: StreamSource<DeviceObservation>)] = [:]
        var linkObservers: [StreamSource<LinkState>] = []
        var lamps: [Int: Bool] = [:]

        mutating func nextKey() -> Int {
            lastObserver += 1
            return lastObserver
        }
    }

    private let state = Mutex(State())

    init(id: ChannelID, home: HomeID, bus: LampBus) {
        self.id = id
        self.home = home
        self.bus = bus
    }

    // MARK: The link

    func open() async throws(CommunicationError) {
        let isFirst = state.withLock { state in
            defer { state.listener = state.listener ?? 0 }
            return state.listener == nil
        }
        if isFirst {
            let listener = await bus.listen { [weak self] in self?.take($0) }
            state.withLock { $0.listener = listener }
        }
        guard state.withLock({ $0.link.isConnected }) else { throw .unplugged }
    }

    func close() async {
        let (listener, conversations, observers) = state.withLock { state in
            defer { state.conversations = [:] }
            state.isClosed = true
            state.observers = [:]
            state.link = .lost(.closedByUser, retryIn: nil)
            return (state.listener, Array(state.conversations.values), state.linkObservers)
        }
        if let listener { await bus.endListening(listener) }
        for conversation in conversations { conversation.source.finish() }
        for observer in observers { observer.finish() }
    }

    func linkStates() -> LinkStates {
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16))
        state.withLock { state in
            source.send(state.link)
            if state.isClosed { source.finish() } else { state.linkObservers.append(source) }
        }
        return stream
    }

    // MARK: What is heard

    func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let (key, lamps) = state.withLock { state in
            let key = state.nextKey()
            state.observers[key] = (scope, sink)
            return (key, state.lamps)
        }
        for (lamp, isOn) in lamps {
            for content in contents(of: lamp, isOn: isOn) where scope.contains(Self.id(of: lamp)) {
                sink(observation(of: lamp, content))
            }
        }
        return ChannelObservation { [weak self] in
            self?.state.withLock { $0.observers[key] = nil }
        }
    }

    /// The bus reports every lamp when the link is made, so there is nothing to wait for.
    func replay(
        _ home: HomeID, _ scope: HomeScope,
        known: nonisolated(nonsending) @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard state.withLock({ $0.link.isConnected }) else { throw .unplugged }
        return .complete
    }

    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        LampService(channel: self, device: device)
    }

    private func take(_ report: LampBus.Report) {
        switch report {
        case .noise: break
        case .plug(let isIn):
            state.withLock { state in
                guard !state.isClosed else { return }
                state.link = isIn ? .connected : .lost(.unplugged, retryIn: .seconds(1))
                for observer in state.linkObservers { observer.send(state.link) }
            }
        case .lamp(let lamp, let isOn):
            state.withLock { $0.lamps[lamp] = isOn }
            for content in contents(of: lamp, isOn: isOn) { deliver(content, of: lamp) }
        }
    }

    /// Delivers to every observer and conversation; outside the lock, because a sink may call the channel.
    func deliver(_ content: DeviceObservation.Content, of lamp: Int) {
        let observation = observation(of: lamp, content)
        let (sinks, sources) = state.withLock { state in
            (
                state.observers.values.filter { $0.scope.contains(observation.device) }.map(\.sink),
                state.conversations.values.filter { $0.lamp == observation.device }.map(\.source)
            )
        }
        for sink in sinks { sink(observation) }
        for source in sources { source.send(observation) }
    }

    // MARK: Conversations

    func converse(
        with lamp: DeviceID, _ source: StreamSource<DeviceObservation>
    ) throws(CommunicationError) -> Int {
        let (key, lamps) = state.withLock { state in
            guard !state.isClosed else { return (0, [Int: Bool]()) }
            let key = state.nextKey()
            state.conversations[key] = (lamp, source)
            return (key, state.lamps)
        }
        guard key > 0 else { throw .closedByUser }
        if let number = Self.number(of: lamp), let isOn = lamps[number] {
            for content in contents(of: number, isOn: isOn) {
                source.send(observation(of: number, content))
            }
        }
        return key
    }

    func endConversation(_ key: Int) {
        state.withLock { $0.conversations.removeValue(forKey: key) }?.source.finish()
    }

    /// Whether commands can be sent.
    func requireLink() throws(CommunicationError) {
        let (link, isClosed) = state.withLock { ($0.link, $0.isClosed) }
        if isClosed { throw .closedByUser }
        guard link.isConnected else { throw .unplugged }
    }

    // MARK: Lamps as devices

    static func id(of lamp: Int) -> DeviceID {
        DeviceID(rawValue: "lamp-\(lamp)") ?? { preconditionFailure("a valid id") }()
    }

    static func number(of device: DeviceID) -> Int? {
        device.text.hasPrefix("lamp-") ? Int(device.text.dropFirst(5)) : nil
    }

    private func contents(of lamp: Int, isOn: Bool) -> [DeviceObservation.Content] {
        [
            .description(profile(of: lamp)), .presence(Presence(.online)),
            .state(StateReport(["on": .boolean(isOn)])),
        ]
    }

    private func profile(of lamp: Int) -> DeviceProfile {
        DeviceProfile(
            id: Self.id(of: lamp), home: home, kind: DeviceKind(rawValue: "light"),
            model: DeviceModel(rawValue: "bus-lamp"), name: "Lamp \(lamp)", firmware: "1",
            capabilities: [.connectable, .controllable],
            commands: [.turnOn, .turnOff].map {
                CommandSpecification(name: $0, arguments: .nothing, sort: .setting)
            },
            stateMembers: ["on"], serial: "bus-\(lamp)")
    }

    private func observation(
        of lamp: Int, _ content: DeviceObservation.Content
    ) -> DeviceObservation {
        DeviceObservation(channel: id, home: home, device: Self.id(of: lamp), content: content)
    }
}

extension CommandName {
    static let turnOn = CommandName(rawValue: "turn-on")
    static let turnOff = CommandName(rawValue: "turn-off")
}

extension CommunicationError {
    /// Nothing left, and the channel goes on trying.
    static var unplugged: CommunicationError {
        CommunicationError(
            .notConnected, "the bus of the lamps is unplugged", certainty: .neverLeft,
            isRetriable: true)
    }

    static var closedByUser: CommunicationError {
        CommunicationError(.closed, "the channel was closed", certainty: .neverLeft)
    }
}
