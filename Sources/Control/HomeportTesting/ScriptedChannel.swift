internal import Basics
public import Connectivity
public import DeviceDomain
public import DeviceMessages

/// A channel without a network, for tests without hardware: sends are recorded, responses are
/// scripted.
///
/// ```swift
/// let channel = ScriptedChannel(id: try ChannelID("test"))
/// channel.announce(robot.profile)                      // a device appears, online
/// channel.onSend { $0.acknowledged(.accepted, .succeeded) }   // it executes every command
/// // … run what is to be tested, then:
/// for await send in channel.sends { … }                // what was sent to the device
/// channel.loseLink()                                   // test the behaviour when the link breaks
/// ```
///
/// Every call can be made from any thread. Messages of devices reach observers and conversations
/// in the order of the calls. The link works at first.
public final class ScriptedChannel: CommunicationChannel {
    /// The link's response to a send.
    public enum Answer: Sendable {
        /// This receipt.
        case receipt(DeliveryReceipt)
        /// This failure.
        case failure(CommunicationError)
        /// Nothing until ``ScriptedChannel/loseLink(_:retryIn:)``, ``ScriptedChannel/close()``,
        /// or ``ScriptedChannel/answerHeld(_:)``. Settings are kept at once.
        case hold
    }

    /// What a device does with a received command: the messages that it publishes, in order.
    public typealias Reaction = @Sendable (ScriptedSend) -> [DeviceObservation.Content]

    public let id: ChannelID
    public let kind: ChannelKind
    public let traits: ChannelTraits
    /// Every command that was sent while the link worked, in order; at most 10,000 wait.
    public let sends: BoundedStream<ScriptedSend>
    /// Every status query that was sent while the link worked, in order; at most 10,000
    /// wait.
    public let questions: BoundedStream<[CommandID]>
    /// Every time that settings were to be kept for a device while the link worked, in order; at most
    /// 10,000 wait.
    public let keptSettings: BoundedStream<DesiredSettings>
    private let keptSource: StreamSource<DesiredSettings>
    private let sendSource: StreamSource<ScriptedSend>
    private let questionSource: StreamSource<[CommandID]>
    let state: Guarded<ScriptedChannelState>

    /// A channel whose link works.
    /// - Parameters:
    ///   - traits: what it can report and guarantee; every trait if not given.
    ///   - connected: whether the link works at first.
    public init(
        id: ChannelID, kind: ChannelKind = ChannelKind(rawValue: "scripted"),
        traits: ChannelTraits = Set(ChannelTrait.allCases), connected: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.traits = traits
        state = Guarded(ScriptedChannelState(channel: id, isConnected: connected))
        (sends, sendSource) = BoundedStream.make(.dropNewest(limit: 10_000))
        (keptSettings, keptSource) = BoundedStream.make(.dropNewest(limit: 10_000))
        (questions, questionSource) = BoundedStream.make(.dropNewest(limit: 10_000))
    }

    // MARK: CommunicationChannel

    public func open() async throws(CommunicationError) {
        guard state.withLock({ $0.isConnected }) else { throw .scriptedOutage }
    }

    public func close() async {
        let end = state.withLock { $0.close() }
        end.run()
        sendSource.finish()
        questionSource.finish()
        keptSource.finish()
    }

    public func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        ScriptedService(channel: self, device: device, home: home)
    }

    public func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let key = state.withLock { $0.addObserver(sink, of: home, scope) }
        deliverPending()
        return ChannelObservation { [weak self] in self?.state.withLock { $0.removeObserver(key) } }
    }

    /// The parts of homes that are observed at this moment.
    public var observedScopes: [HomeScope] { state.withLock { $0.observedScopes } }

    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return try state.replay.get()
        }
    }

    public func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            if let error = state.clearFailure { throw error }
            state.clear(ScriptedAddress(home: home, device: device))
        }
        deliverPending()
    }

    public func linkStates() -> LinkStates {
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16))
        state.withLock { $0.addLinkObserver(source) }
        return stream
    }

    // MARK: The services' side

    func send(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        let send = ScriptedSend(command: command, attempt: attempt)
        let answer = try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return state.nextAnswer()
        }
        switch answer {
        case .receipt(let receipt):
            sendSource.send(send)
            if case .confirmed = receipt { react(to: send) }
            return receipt
        case .failure(let error):
            sendSource.send(send)
            throw error
        case .hold:
            return try await hold(send).get()
        }
    }

    private func hold(_ send: ScriptedSend) async -> Result<DeliveryReceipt, CommunicationError> {
        await withCheckedContinuation { continuation in
            state.withLock { $0.held.append((send, continuation)) }
            sendSource.send(send)
        }
    }

    func react(to send: ScriptedSend) {
        let reaction = state.withLock { $0.reaction }
        for content in reaction?(send) ?? [] {
            deliver(content, from: send.command.intent.device, in: send.command.intent.home)
        }
    }

    func ask(about ids: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        guard traits.contains(.asking) else {
            throw CommunicationError(
                .cannotExpress, "the scripted channel cannot query devices", certainty: .neverLeft)
        }
        let told = try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return state.holdsQuestions ? nil : state.outcomes.filter { ids.contains($0.key) }
        }
        if let told {
            questionSource.send(ids)
            return told
        }
        return try await holdQuestion(ids).get()
    }

    func desiredSettings(of device: DeviceID, in home: HomeID) throws(CommunicationError)
        -> DesiredReading
    {
        guard traits.contains(.desired) else { throw .keepsNoSettings }
        return try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            if let error = state.readFailure { throw error }
            return state.desiredReading(at: ScriptedAddress(home: home, device: device))
        }
    }

    func keep(_ settings: DesiredSettings, for device: DeviceID, in home: HomeID)
        throws(CommunicationError) -> DeliveryReceipt
    {
        guard traits.contains(.desired) else { throw .keepsNoSettings }
        let answer = try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return state.keep(settings, at: ScriptedAddress(home: home, device: device))
        }
        keptSource.send(settings)
        return try answer.get()
    }

    private func holdQuestion(_ ids: [CommandID]) async
        -> Result<[CommandID: RecordedOutcome], CommunicationError>
    {
        await withCheckedContinuation { continuation in
            state.withLock { $0.heldQuestions.append(continuation) }
            questionSource.send(ids)
        }
    }

    /// Delivers observations in order, outside the lock: a sink may call the channel.
    func deliverPending() {
        while let (sink, observation) = state.withLock({ $0.nextDelivery() }) {
            sink(observation)
            state.withLock { $0.endDelivery() }
        }
    }
}

extension CommunicationError {
    static var scriptedOutage: CommunicationError {
        CommunicationError(
            .notConnected, "the scripted link is down", certainty: .neverLeft, isRetriable: true)
    }

    /// The error of a pending send when a ``ScriptedChannel`` loses its link.
    public static var scriptedLoss: CommunicationError {
        CommunicationError(.linkLost, "the scripted link broke", isRetriable: true)
    }
}
