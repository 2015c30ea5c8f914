internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Names a device across homes.
struct ScriptedAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

/// The state of a ``ScriptedChannel``.
struct ScriptedChannelState: Sendable {
    typealias Held<Value: Sendable> = CheckedContinuation<Result<Value, CommunicationError>, Never>
    typealias HeldSend = (ScriptedSend, Held<DeliveryReceipt>)
    typealias HeldQuestion = Held<[CommandID: RecordedOutcome]>

    private struct Observer {
        let home: HomeID
        let scope: HomeScope
        let sink: ObservationSink

        func wants(_ observation: DeviceObservation) -> Bool {
            observation.home == home && scope.contains(observation.device)
        }
    }

    let channel: ChannelID
    private(set) var link: LinkState
    var answers: [ScriptedChannel.Answer] = []
    var held: [HeldSend] = []
    var heldQuestions: [HeldQuestion] = []
    var holdsQuestions = false
    var outcomes: [CommandID: RecordedOutcome] = [:]
    var reaction: ScriptedChannel.Reaction?
    var connectFailure: CommunicationError?
    var prepareFailure: CommunicationError?
    var readFailure: CommunicationError?
    var kept: [ScriptedAddress: DesiredSettings] = [:]
    var clearFailure: CommunicationError?
    var replay: Result<ReplayCompleteness, CommunicationError> = .success(.complete)
    private var retained: [ScriptedAddress: [DevicePart: DeviceObservation]] = [:]
    private var conversations: [ScriptedAddress: StreamSource<DeviceObservation>] = [:]
    private var observers: [Int: Observer] = [:]
    private var lastObserver = 0
    private var linkObservers: [StreamSource<LinkState>] = []
    private var deliveries: [(observer: Int, observation: DeviceObservation)] = []
    private var isDelivering = false

    init(channel: ChannelID, isConnected: Bool) {
        self.channel = channel
        link = isConnected ? .connected : .connecting
    }

    var isConnected: Bool { link.isConnected }

    mutating func nextAnswer() -> ScriptedChannel.Answer {
        answers.isEmpty ? .receipt(.confirmed) : answers.removeFirst()
    }

    mutating func takeHeld() -> [HeldSend] {
        defer { held = [] }
        return held
    }

    mutating func takeHeldQuestions() -> [HeldQuestion] {
        defer { heldQuestions = [] }
        return heldQuestions
    }

    // MARK: Settings

    func desiredReading(at address: ScriptedAddress) -> DesiredReading {
        var reading = DesiredReading(kept: kept[address])
        if case .state(let state) = retained[address]?[.state]?.content {
            reading.applied = state.applied
        }
        return reading
    }

    /// The next answer; settings that it does not accept are not kept, and nothing is held.
    mutating func keep(_ settings: DesiredSettings, at address: ScriptedAddress)
        -> Result<DeliveryReceipt, CommunicationError>
    {
        switch nextAnswer() {
        case .failure(let error): return .failure(error)
        case .receipt(let receipt):
            if case .refused = receipt { return .success(receipt) }
            kept[address] = settings
            return .success(receipt)
        case .hold:
            kept[address] = settings
            return .success(.confirmed)
        }
    }

    // MARK: Messages of devices

    /// What is observed, in the order in which the observations began.
    var observedScopes: [HomeScope] {
        observers.keys.sorted().compactMap { observers[$0]?.scope }
    }

    mutating func deliver(_ observation: DeviceObservation) {
        let address = ScriptedAddress(home: observation.home, device: observation.device)
        retain(observation, at: address)
        conversations[address]?.send(observation)
        for key in observers.keys.sorted() where observers[key]?.wants(observation) == true {
            deliveries.append((key, observation))
        }
    }

    private mutating func retain(_ observation: DeviceObservation, at address: ScriptedAddress) {
        switch observation.content {
        case .description: retained[address, default: [:]][.description] = observation
        case .presence: retained[address, default: [:]][.presence] = observation
        case .state: retained[address, default: [:]][.state] = observation
        case .cleared(let part): retained[address]?[part] = nil
        case .removed: retained[address] = nil
        case .telemetry, .event, .evidence, .problem: break
        }
    }

    /// Clears what is kept of a device; its observers hear of each part.
    mutating func clear(_ address: ScriptedAddress) {
        kept[address] = nil
        for part in (retained[address] ?? [:]).keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            deliver(
                DeviceObservation(
                    channel: channel, home: address.home, device: address.device,
                    content: .cleared(part)))
        }
    }

    private func replayed(of address: ScriptedAddress) -> [DeviceObservation] {
        let parts = retained[address] ?? [:]
        return [DevicePart.description, .presence, .state].compactMap { parts[$0] }
    }

    /// The next observation of an observer, unless another call is delivering one.
    mutating func nextDelivery() -> (ObservationSink, DeviceObservation)? {
        guard !isDelivering else { return nil }
        while !deliveries.isEmpty {
            let (key, observation) = deliveries.removeFirst()
            guard let observer = observers[key] else { continue }
            isDelivering = true
            return (observer.sink, observation)
        }
        return nil
    }

    mutating func endDelivery() { isDelivering = false }

    // MARK: Observers and conversations

    mutating func connect(_ address: ScriptedAddress, to source: StreamSource<DeviceObservation>) {
        conversations[address] = source
        for observation in replayed(of: address) { source.send(observation) }
    }

    mutating func disconnect(_ address: ScriptedAddress) { conversations[address] = nil }

    mutating func addObserver(
        _ sink: @escaping ObservationSink, of home: HomeID, _ scope: HomeScope
    ) -> Int {
        lastObserver += 1
        let observer = Observer(home: home, scope: scope, sink: sink)
        observers[lastObserver] = observer
        for address in retained.keys.sorted(by: { $0.device < $1.device }) {
            for observation in replayed(of: address) where observer.wants(observation) {
                deliveries.append((lastObserver, observation))
            }
        }
        return lastObserver
    }

    mutating func removeObserver(_ key: Int) { observers[key] = nil }

    mutating func addLinkObserver(_ source: StreamSource<LinkState>) {
        linkObservers.append(source)
        source.send(link)
    }

    // MARK: The link

    mutating func loseLink(_ error: CommunicationError, retryIn: Duration?) {
        announce(.lost(error, retryIn: retryIn))
    }

    mutating func restoreLink(_ state: LinkState) { announce(state) }

    private mutating func announce(_ link: LinkState) {
        self.link = link
        for observer in linkObservers { observer.send(link) }
    }

    mutating func close() -> ScriptedChannelEnd {
        let closed = CommunicationError(.closed, "the scripted channel was closed")
        link = .lost(closed, retryIn: nil)
        observers = [:]
        return ScriptedChannelEnd(
            error: closed, conversations: Array(conversations.values),
            linkObservers: linkObservers, sends: takeHeld(), questions: takeHeldQuestions())
    }
}

/// What is left to do outside the lock when a ``ScriptedChannel`` closes.
struct ScriptedChannelEnd {
    let error: CommunicationError
    let conversations: [StreamSource<DeviceObservation>]
    let linkObservers: [StreamSource<LinkState>]
    let sends: [ScriptedChannelState.HeldSend]
    let questions: [ScriptedChannelState.HeldQuestion]

    func run() {
        for stream in conversations { stream.finish() }
        for stream in linkObservers { stream.finish() }
        for (_, send) in sends { send.resume(returning: .failure(error)) }
        for question in questions { question.resume(returning: .failure(error)) }
    }
}
