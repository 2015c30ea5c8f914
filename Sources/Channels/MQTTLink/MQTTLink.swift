internal import Basics
public import Logging
public import MQTTClient
internal import Synchronization

/// One connection of a channel to an MQTT broker: subscriptions that survive reconnects, one receiver for
/// all messages, and a fence.
///
/// The actor runs on its event loop, so a message reaches the receiver without a thread switch.
public actor MQTTLink {
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// How long a SUBSCRIBE waits for its answer before it counts as dropped by the broker.
    static let answerDeadline = Duration.seconds(5)

    /// The loop that the link runs on.
    public nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let configuration: MQTTLinkConfiguration
    nonisolated let logger: Logger
    private nonisolated let lastNumber = Atomic<UInt64>(0)

    var connection: MQTTConnection?
    var subscriptions = SubscriptionSet()
    var subscribes = SubscribeQueue()
    var waits = LinkWaits()
    private var receiver: MQTTReceiver?
    /// The largest packet that the broker takes, bytes; `nil` where it has said no limit.
    package private(set) var largestPacket: Int?
    private var state = MQTTLinkState.connecting
    private var isClosed = false
    private var stateObservers: [UInt64: @Sendable (MQTTLinkState?) -> Bool] = [:]

    /// A link that connects when it is opened or gets its first subscription.
    public init(
        _ configuration: MQTTLinkConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.link")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
    }

    nonisolated func perform(_ body: @escaping @Sendable (isolated MQTTLink) -> Void) {
        eventLoop.perform(on: self, body)
    }

    nonisolated func makeNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    var isConnected: Bool { connection?.isConnected == true }
}

// MARK: Opening and closing

extension MQTTLink {
    /// Connects. A broker that is away is tried again until the configured timeout has passed; any other
    /// failure is final.
    /// - Throws: why the last attempt failed.
    public func open() async throws(MQTTError) {
        guard !isClosed else { throw .linkClosed }
        guard !isConnected else { return }
        let slot = LinkWaits.Slot()
        waits.waitForOpening(slot)
        limitOpening()
        startIfNeeded()
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Finishes pending publishes for at most two seconds, then disconnects and ends every stream.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        let slot = AnswerSlot<Bool>()
        if let connection {
            connection.close(drainingFor: .seconds(2)) { slot.resolve($0.isDisconnectSent) }
            _ = await slot.value(ifCancelled: false)
        }
        connection = nil
        subscribes.clear()
        state = .lost(.linkClosed, retryIn: nil)
        waits.endOpening(.failure(.linkClosed))
        waits.connectionLost(.linkClosed)
        for observer in stateObservers.values { _ = observer(nil) }
        stateObservers = [:]
    }

    /// Starts to connect unless there is a connection or an attempt already.
    func startIfNeeded() {
        guard connection == nil, !isClosed else { return }
        do {
            let connection = MQTTConnection(
                configuration: try configuration.connection(),
                eventLoop: eventLoop, owner: self
            ) { link, event in
                link.handle(event)
            }
            self.connection = connection
            announce(.connecting)
            connection.start()
        } catch {
            lost(error, retryIn: nil)
        }
    }

    /// An attempt under way at the end of the time has the same timeout, and reports by itself.
    private func limitOpening() {
        guard waits.openTimer == nil else { return }
        waits.limitOpening(
            eventLoop.schedule(after: configuration.connectTimeout) { [weak self] in
                self?.assumeIsolated { link in
                    link.waits.limitOpening(nil)
                    if case .lost(let error, .some) = link.state { link.giveUpOpening(error) }
                }
            })
    }

    private func giveUpOpening(_ error: MQTTError) {
        if subscriptions.isEmpty { abandon(because: error) }
        waits.endOpening(.failure(error))
    }

    private func abandon(because error: MQTTError) {
        connection?.abort()
        connection = nil
        announce(.lost(error, retryIn: nil))
    }
}

// MARK: The connection

extension MQTTLink {
    /// Lets a receiver get every message. Both closures are called on the event loop and must return at once.
    /// - Parameter skipped: is called for each message that was dropped because it is too large.
    public nonisolated func receive(
        skipped: @escaping @Sendable (MQTTSkippedMessage) -> Void = { _ in },
        _ received: @escaping @Sendable (MQTTMessage) -> Void
    ) {
        perform { $0.receiver = MQTTReceiver(received: received, skipped: skipped) }
    }

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected(let info): connected(info)
        case .message(let message):
            receiver?.received(message)
            if !waits.fences.isEmpty { passFences(message) }
        case .skipped(let message): receiver?.skipped(message)
        case .disconnected(let error, let delay): lost(error, retryIn: delay)
        case .closed: break
        }
    }

    private func connected(_ info: MQTTConnectionInfo) {
        largestPacket = info.limits.maximumPacketSize.map(Int.init)
        // Without identifiers, because one receiver gets everything.
        enqueue(
            subscriptions.connected(
                to: info.broker, isSessionPresent: info.sessionPresent, offersIdentifiers: false))
    }

    /// Announces that the link works when every filter is answered, and again when the refused ones
    /// have changed.
    func announceIfSettled() {
        guard isConnected, subscriptions.isSettled else { return }
        let refused = subscriptions.refused
        if state.refused != refused { announce(refused.isEmpty ? .connected : .limited(refused)) }
        waits.endOpening(.success(()))
    }

    private func lost(_ error: MQTTError, retryIn delay: Duration?) {
        logger.debug("link lost", metadata: ["error": "\(error)"])
        subscribes.clear()
        let isOpening = !waits.openers.isEmpty
        let triesAgain =
            isOpening && waits.openTimer != nil && delay != nil && error.mayPassSoon
        // Without subscriptions a failed open() is final; with them the link goes on trying.
        if delay == nil || (isOpening && !triesAgain && subscriptions.isEmpty) {
            abandon(because: error)
        } else {
            announce(.lost(error, retryIn: delay))
        }
        if !triesAgain { waits.endOpening(.failure(error)) }
        waits.connectionLost(error)
    }

    private func announce(_ new: MQTTLinkState) {
        state = new
        for (number, observer) in stateObservers where !observer(new) {
            stateObservers[number] = nil
        }
    }

    /// Calls `body` with the present state, each later one, and `nil` when the link is closed, until it
    /// returns false. It is called on the event loop and must return at once.
    public nonisolated func observeStates(
        _ body: @escaping @Sendable (MQTTLinkState?) -> Bool
    ) {
        let number = makeNumber()
        perform { link in
            guard body(link.state) else { return }
            if link.isClosed { _ = body(nil) } else { link.stateObservers[number] = body }
        }
    }
}

/// What gets the messages of a link.
private struct MQTTReceiver: Sendable {
    let received: @Sendable (MQTTMessage) -> Void
    let skipped: @Sendable (MQTTSkippedMessage) -> Void
}

extension MQTTSkippedMessage {
    /// A sentence for the user.
    package var reason: String {
        "skipped a message of \(size) bytes on \(topic): the limit is \(limit); publish a smaller one "
            + "there"
    }
}

extension MQTTError {
    /// The link was closed by its owner.
    static let linkClosed = MQTTError(.closed, "the link was closed")
    /// There is no connection now.
    static let noConnection = MQTTError(
        .notConnected, "there is no connection to the broker now", isRetriable: true)
    /// The waiting task was cancelled; the operation goes on.
    static let waitCancelled = MQTTError(
        .cancelled, "the wait for the broker's answer was cancelled", isRetriable: true)

    /// Whether a broker may accept the next attempt: none answered this one, or it was busy or not ready.
    fileprivate var mayPassSoon: Bool {
        switch code {
        case .unreachable, .connectionLost, .serverDisconnected, .connectTimeout: true
        case .connectionRefused: isRetriable
        default: false
        }
    }

    /// Whether a message whose publish failed with this error was certainly never sent.
    public var provesNothingLeft: Bool {
        let harmless: [Code] = [
            .notConnected, .outboxFull, .closed, .invalidArgument, .unsupported, .packetTooLarge,
            .unreachable, .nameResolutionFailed, .connectTimeout, .connectionRefused, .tlsFailed,
            .tlsConfiguration, .insecureConnection, .resourcesExhausted,
        ]
        return harmless.contains(code)
    }
}
