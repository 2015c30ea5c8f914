package import Connectivity
package import DeviceDomain
private import MQTTClient

/// A channel without a wire: what is sent is recorded, what comes back is scripted.
///
/// Tests set answers, put messages in with ``deliver(_:)``, break the link with ``loseLink()``,
/// and wait for sends with ``sends``.
package final class ScriptedChannel: CommunicationChannel {
    /// What the link says to a send.
    package enum Answer: Sendable {
        /// This receipt.
        case receipt(DeliveryReceipt)
        /// This failure.
        case failure(CommunicationError)
        /// Nothing until ``loseLink()``, ``close()``, or a call of ``answerHeld(_:)``.
        case hold
    }

    package let kind: ChannelKind
    private let state: Guarded<ScriptedChannelState>
    /// Every message that was handed over while the link worked, in order.
    package let sends: BoundedStream<ScriptedSend>
    private let sendSource: StreamSource<ScriptedSend>

    package init(kind: ChannelKind = .mqtt, connected: Bool = true) {
        self.kind = kind
        state = Guarded(ScriptedChannelState(isConnected: connected))
        (sends, sendSource) = BoundedStream.make(.dropNewest(limit: 10_000))
    }

    package func open() async throws(CommunicationError) {
        guard state.withLock(of: self, { $0.isConnected }) else { throw .scriptedOutage }
    }

    package func close() async {
        let end = state.withLock(of: self) { $0.close() }
        end.run()
    }

    package func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        ScriptedService(channel: self, device: device, home: home)
    }

    package func survey(_ home: HomeID, _ scope: SurveyScope) async throws(CommunicationError)
        -> HomeSurvey
    {
        try state.withLock(of: self) { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return state.survey(home, scope)
        }
    }

    package func observe(_ home: HomeID, devices: Set<DeviceID>) -> ObservationStream {
        let (stream, source) = ObservationStream.make(.dropOldest(limit: 256))
        state.withLock(of: self) { $0.addObserver(source, of: home, devices: devices) }
        return stream
    }

    package func linkStates() -> LinkStates {
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16))
        state.withLock(of: self) { $0.addLinkObserver(source) }
        return stream
    }

    // MARK: The script

    /// Answers the next sends, in order; after them ``Answer/receipt(_:)`` `.confirmed` holds.
    package func answer(_ answers: Answer...) {
        state.withLock(of: self) { $0.answers += answers }
    }

    /// Answers every send that is held.
    package func answerHeld(_ answer: Result<DeliveryReceipt, CommunicationError>) {
        let held = state.withLock(of: self) { $0.takeHeld() }
        for send in held { send.resume(returning: answer) }
    }

    /// Lets a device say something; presence and state are retained.
    package func deliver(_ message: IncomingMessage) {
        state.withLock(of: self) { $0.deliver(message) }
    }

    /// Breaks the link: sends under way fail with `linkLost`, later ones with `notConnected`.
    package func loseLink(retryIn: Duration? = .seconds(1)) {
        let held = state.withLock(of: self) { $0.loseLink(retryIn: retryIn) }
        for send in held { send.resume(returning: .failure(.scriptedLoss)) }
    }

    /// Repairs the link.
    package func restoreLink() { state.withLock(of: self) { $0.restoreLink() } }

    // MARK: The services' side

    func connect(_ device: DeviceID, in home: HomeID, to source: StreamSource<IncomingMessage>)
        throws(CommunicationError)
    {
        try state.withLock(of: self) { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            state.connect(DeviceAddress(home: home, device: device), to: source)
        }
    }

    func disconnect(_ device: DeviceID, in home: HomeID) {
        state.withLock(of: self) { $0.disconnect(DeviceAddress(home: home, device: device)) }
    }

    func send(_ message: OutgoingMessage, to device: DeviceID, in home: HomeID)
        async throws(CommunicationError) -> DeliveryReceipt
    {
        let answer = try state.withLock(of: self) { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            return state.nextAnswer()
        }
        let send = ScriptedSend(home: home, device: device, message: message)
        switch answer {
        case .receipt(let receipt):
            sendSource.send(send)
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
            state.withLock(of: self) { $0.held.append(continuation) }
            sendSource.send(send)
        }
    }
}

/// A message that was handed to a ``ScriptedChannel``.
package struct ScriptedSend: Hashable, Sendable {
    /// The home of the receiver.
    package let home: HomeID
    /// The receiver.
    package let device: DeviceID
    /// What was handed over.
    package let message: OutgoingMessage

    /// The command, if it is one.
    package var command: OutgoingCommand? {
        if case .command(let command) = message { command } else { nil }
    }
}

extension CommunicationError {
    static var scriptedOutage: CommunicationError {
        CommunicationError(.notConnected, "the scripted link is down", isRetriable: true)
    }

    static var scriptedLoss: CommunicationError {
        CommunicationError(.linkLost, "the scripted link broke", isRetriable: true)
    }
}
