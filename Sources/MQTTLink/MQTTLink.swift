public import Logging
public import MQTTClient
internal import Synchronization

/// One connection to an MQTT broker, for every dialect: wishes for filters that survive reconnects,
/// messages to those who want them, and a fence.
///
/// It lives on its event loop: connection, subscriptions and routing are touched by that thread
/// alone, and a message reaches its sinks without a hop.
public actor MQTTLink {
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// How long a SUBSCRIBE waits for its answer before it counts as dropped by the broker.
    static let answerDeadline = Duration.seconds(5)

    /// The loop that it lives on.
    public nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let configuration: MQTTLinkConfiguration
    nonisolated let logger: Logger
    private nonisolated let lastNumber = Atomic(0)

    var connection: MQTTConnection?
    var filters = FilterBook()
    var subscribes = SubscribeQueue()
    var isSubscribingDue = false
    /// Filters to unsubscribe from once every SUBSCRIBE is answered, unless they are wanted again.
    var superfluous: [MQTTTopicFilter] = []
    var fanOut = FanOut()
    var fences: [Int: Fence] = [:]
    var grants: [MQTTWish: [AnswerSlot<Result<Void, MQTTError>>]] = [:]
    var settlements: [AnswerSlot<Result<Void, MQTTError>>] = []
    private var state = MQTTLinkState.connecting
    private var isClosed = false
    private var openers: [AnswerSlot<Result<Void, MQTTError>>] = []
    private var stateObservers: [Int: @Sendable (MQTTLinkState?) -> Bool] = [:]

    /// A link that connects when it is opened or something is wanted.
    public init(
        _ configuration: MQTTLinkConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.link")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
    }

    /// Runs `body` on the link: at once for a caller on the loop, else soon and in the order of the
    /// calls.
    nonisolated func perform(_ body: @escaping @Sendable (isolated MQTTLink) -> Void) {
        guard !eventLoop.isCurrent else { return assumeIsolated { body($0) } }
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { body($0) }
        }
    }

    nonisolated func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }
}

// MARK: Opening and closing

extension MQTTLink {
    /// Connects. The first attempt decides: it takes at most the configured timeout.
    /// - Throws: why there is no connection.
    public func open() async throws(MQTTError) {
        guard !isClosed else { throw .linkClosed }
        guard connection?.isConnected != true else { return }
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        openers.append(slot)
        startIfNeeded()
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Sends what is under way for at most two seconds, then disconnects and ends every stream.
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
        endWaits(.linkClosed)
        for observer in stateObservers.values { _ = observer(nil) }
        stateObservers = [:]
    }

    /// Begins to connect unless that is done already.
    func startIfNeeded() {
        guard connection == nil, !isClosed else { return }
        do {
            var generator = SystemRandomNumberGenerator()
            let connection = MQTTConnection(
                configuration: try configuration.connection(using: &generator),
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

    private func endOpeners(_ result: Result<Void, MQTTError>) {
        for opener in openers { opener.resolve(result) }
        openers = []
    }
}

// MARK: The connection

extension MQTTLink {
    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected: connected()
        case .message(let message): received(message)
        case .skipped(let message): skipped(message)
        case .disconnected(let error, let delay): lost(error, retryIn: delay)
        case .closed: break
        }
    }

    private func received(_ message: MQTTMessage) {
        // A sink may want and drop: the fan-out must not be in use while it is called.
        for sink in fanOut.sinks(of: message.topic) { sink.deliver(message) }
        if !fences.isEmpty { passFences(message) }
    }

    private func skipped(_ message: MQTTSkippedMessage) {
        for sink in fanOut.sinks(of: message.topic) { sink.skip(message) }
    }

    private func connected() {
        carryOut(filters.connected())
        announceIfSettled()
    }

    /// Says that the link works once every subscription is answered, and again when what the broker
    /// refuses has changed.
    func announceIfSettled() {
        guard connection?.isConnected == true, filters.isSettled else { return }
        let refused = filters.refused
        if state.refused != refused { announce(refused.isEmpty ? .connected : .limited(refused)) }
        endOpeners(.success(()))
    }

    private func lost(_ error: MQTTError, retryIn delay: Duration?) {
        logger.debug("link lost", metadata: ["error": "\(error)"])
        forgetSubscriptions()
        // A link that was only opened gives up; one from which something is wanted goes on trying.
        let delay = openers.isEmpty || !fanOut.isEmpty ? delay : nil
        if delay == nil {
            connection?.abort()
            connection = nil
        }
        announce(.lost(error, retryIn: delay))
        endOpeners(.failure(error))
        endWaits(error)
    }

    private func forgetSubscriptions() {
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

    /// Ends what waits for the broker's answer on a connection that is gone.
    private func endWaits(_ error: MQTTError) {
        for slot in grants.values.joined() { slot.resolve(.failure(error)) }
        grants = [:]
        for slot in settlements { slot.resolve(.failure(error)) }
        settlements = []
        for fence in fences.values { fence.slot.resolve(false) }
        fences = [:]
    }

    /// Tells the link's states, beginning with the present one, then `nil` when the link is closed;
    /// until `body` returns false. It is called on the event loop and must return at once.
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
    /// There is no connection at present.
    static let noConnection = MQTTError(
        .notConnected, "there is no connection to the broker at present", isRetriable: true)
    /// The waiting task was cancelled; what it waited for may still happen.
    static let waitCancelled = MQTTError(
        .cancelled, "the wait for the broker's answer was cancelled", isRetriable: true)

    /// Whether a message whose publish failed so surely never left.
    public var provesNothingLeft: Bool {
        let harmless: [Code] = [
            .notConnected, .outboxFull, .closed, .invalidArgument, .unsupported, .packetTooLarge,
            .unreachable, .nameResolutionFailed, .connectTimeout, .connectionRefused, .tlsFailed,
            .tlsConfiguration, .insecureConnection, .resourcesExhausted,
        ]
        return harmless.contains(code)
    }
}
