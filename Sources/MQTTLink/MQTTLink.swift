public import Logging
public import MQTTClient
internal import Synchronization

/// One connection to an MQTT broker that several channels' subscribers share: subscriptions that
/// survive reconnects, delivery to every sink with a matching filter, and a fence.
///
/// The actor runs on its event loop, so a message reaches its sinks without a thread switch.
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
    private nonisolated let lastNumber = Atomic(0)

    var connection: MQTTConnection?
    var filters = FilterTable()
    var subscribes = SubscribeQueue()
    var isSubscribingDue = false
    /// How often the broker has failed to process a filter on the present connection.
    var failedSubscribes: [MQTTTopicFilter: Int] = [:]
    /// Filters to unsubscribe from after every SUBSCRIBE is answered, unless they are wanted again.
    var superfluous: [MQTTTopicFilter] = []
    /// The largest packet that the broker takes, bytes; `nil` where it has said no limit.
    package private(set) var largestPacket: Int?
    var fanOut = FanOut()
    var fences: [Int: Fence] = [:]
    /// The tasks that wait for a subscription to be granted.
    var grants: [MQTTLinkSubscription: [AnswerSlot<Result<Void, MQTTError>>]] = [:]
    /// The tasks that wait until every SUBSCRIBE is answered.
    var settlements: [AnswerSlot<Result<Void, MQTTError>>] = []
    private var state = MQTTLinkState.connecting
    private var isClosed = false
    private var openers: [AnswerSlot<Result<Void, MQTTError>>] = []
    /// Runs while an `open()` may still be tried again.
    private var openTimer: MQTTTimer?
    private var stateObservers: [Int: @Sendable (MQTTLinkState?) -> Bool] = [:]

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

    nonisolated func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

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
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        openers.append(slot)
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
        forgetSubscriptions()
        state = .lost(.linkClosed, retryIn: nil)
        endOpeners(.failure(.linkClosed))
        failWaits(.linkClosed)
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
        guard openTimer == nil else { return }
        openTimer = eventLoop.schedule(after: configuration.connectTimeout) { [weak self] in
            self?.assumeIsolated { link in
                link.openTimer = nil
                if case .lost(let error, .some) = link.state { link.giveUpOpening(error) }
            }
        }
    }

    private func giveUpOpening(_ error: MQTTError) {
        if fanOut.isEmpty { abandon(because: error) }
        endOpeners(.failure(error))
    }

    private func endOpeners(_ result: Result<Void, MQTTError>) {
        openTimer?.cancel()
        openTimer = nil
        for opener in openers { opener.resolve(result) }
        openers = []
    }

    private func abandon(because error: MQTTError) {
        connection?.abort()
        connection = nil
        announce(.lost(error, retryIn: nil))
    }
}

// MARK: The connection

extension MQTTLink {
    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected(let info): connected(info)
        case .message(let message): received(message)
        case .skipped(let message): skipped(message)
        case .disconnected(let error, let delay): lost(error, retryIn: delay)
        case .closed: break
        }
    }

    private func received(_ message: MQTTMessage) {
        // The list is complete before the first call: a sink may subscribe and unsubscribe.
        for sink in fanOut.sinks(of: message.topic) { sink.deliver(message) }
        if !fences.isEmpty { passFences(message) }
    }

    private func skipped(_ message: MQTTSkippedMessage) {
        for sink in fanOut.sinks(of: message.topic) { sink.skip(message) }
    }

    private func connected(_ info: MQTTConnectionInfo) {
        largestPacket = info.limits.maximumPacketSize.map(Int.init)
        execute(filters.connected())
    }

    /// Announces that the link works when every filter is answered, and again when the refused ones
    /// have changed.
    func announceIfSettled() {
        guard isConnected, filters.isSettled else { return }
        let refused = filters.refused
        if state.refused != refused { announce(refused.isEmpty ? .connected : .limited(refused)) }
        endOpeners(.success(()))
    }

    private func lost(_ error: MQTTError, retryIn delay: Duration?) {
        logger.debug("link lost", metadata: ["error": "\(error)"])
        forgetSubscriptions()
        let isOpening = !openers.isEmpty
        let triesAgain = isOpening && openTimer != nil && delay != nil && error.mayPassSoon
        // Without subscriptions a failed open() is final; with them the link goes on trying.
        if delay == nil || (isOpening && !triesAgain && fanOut.isEmpty) {
            abandon(because: error)
        } else {
            announce(.lost(error, retryIn: delay))
        }
        if !triesAgain { endOpeners(.failure(error)) }
        failWaits(error)
    }

    private func forgetSubscriptions() {
        failedSubscribes = [:]
        filters.disconnected()
        subscribes.clear()
        superfluous = []
    }

    private func announce(_ new: MQTTLinkState) {
        state = new
        for (number, observer) in stateObservers where !observer(new) {
            stateObservers[number] = nil
        }
    }

    /// Ends the tasks that wait for an answer on a connection that is lost.
    private func failWaits(_ error: MQTTError) {
        for slot in grants.values.joined() { slot.resolve(.failure(error)) }
        grants = [:]
        for slot in settlements { slot.resolve(.failure(error)) }
        settlements = []
        for fence in fences.values { fence.slot.resolve(false) }
        fences = [:]
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
