private import Logging

/// The implementation of an ``MQTTConnection``: runs the actions of its state machine on the loop. The
/// loop keeps it alive while it is open; the owner holds the ``MQTTConnection``.
final class MQTTConnectionDriver {
    typealias SubscribeCompletion = (Result<MQTTAcknowledgement, MQTTError>) -> Void

    /// What was configured, with the broker and credentials that a locator has found.
    private(set) var configuration: MQTTConfiguration
    let reference: ConnectionTable.Reference
    let core: EventLoopCore
    let loop: MQTTEventLoop
    var handler: ((MQTTConnectionEvent) -> Void)?
    var machine: MQTTConnectionStateMachine
    /// The configured client id, or the one that the broker has assigned.
    var clientID: MQTTClientID
    var window: MQTTPublishWindow<PublishReceipt>
    /// The completions of unanswered SUBSCRIBEs and UNSUBSCRIBEs, by packet identifier.
    var acknowledgements: [UInt16: SubscribeCompletion] = [:]
    var drain: DrainProgress?
    var drainLimit = Duration.zero
    /// The deadline of the drain, nanoseconds; nil before it has begun.
    var drainEnd: UInt64?
    var isSessionPresent = false
    /// Whether the broker has a session that this connection created.
    var hasSession = false
    /// The packet identifiers of QoS 2 messages of this connection and earlier ones.
    var unreleased = UnreleasedPackets()
    /// The properties of the acknowledgement that is being delivered.
    var words: MQTTAcknowledgement?
    /// The properties of DISCONNECT.
    var disconnectProperties = MQTTDisconnectProperties.none
    var limits = MQTTBrokerLimits()
    var aliases = TopicAliases()
    var drops = MQTTDropCounts()
    /// When unacknowledged messages were sent, nanoseconds; empty without a metrics backend.
    var sendTimes: [UInt16: UInt64] = [:]

    // The socket
    var handle: MosquittoHandle?
    var socketGeneration: UInt32 = 0
    var interest: Poller.Interest = []
    var registeredSocket: Int32?
    /// A duplicate of the socket, open until the broker has closed its side.
    var lingeringSocket: Int32?
    var isDirty = false
    var isReadingPaused = false
    /// Whether data was read since the last ``flush()``.
    var hasRead = false
    /// Whether a ping is due after the queued data is written.
    var isPingOwed = false
    var holdsPermission = false
    /// Whether the TCP connection of the present socket is established.
    var isTransportOpen = false
    /// Where the locator has found the broker, until that is confirmed on the established TCP connection.
    var unconfirmed: MQTTBrokerLocation?
    /// Why the library or the broker ended the connection, until the end is detected.
    var cause: MQTTError?

    // Time
    var keepAlive = KeepAliveMonitor(interval: 0, now: 0)
    var watch: AcknowledgementWatch
    var deadline: UInt64?
    private var armedDeadline = UInt64.max

    init(
        configuration: MQTTConfiguration, loop: MQTTEventLoop,
        handler: @escaping (MQTTConnectionEvent) -> Void
    ) {
        self.configuration = configuration
        self.loop = loop
        self.core = loop.core
        self.reference = core.connections.reserve()
        self.handler = handler
        self.clientID = configuration.clientID
        self.machine = MQTTConnectionStateMachine(
            policy: configuration.reconnect,
            clientID: configuration.canClientIDBeShared ? configuration.clientID : nil,
            brokers: configuration.locator == nil ? configuration.fallbackBrokers.count + 1 : 1)
        self.window = MQTTPublishWindow(
            limit: Int(configuration.sendMaximum),
            maximumMessages: configuration.maximumPendingMessages,
            maximumBytes: configuration.maximumPendingBytes)
        self.watch = AcknowledgementWatch(limit: configuration.acknowledgementTimeout)
        core.connections.insert(self, at: reference)
    }

    // MARK: Events of the owner and the loop

    func start() {
        let action = machine.start()
        do throws(MQTTError) {
            if case .resolve = action {
                guard !loop.isEnding else { throw Self.loopEnded }
                try configuration.validate()
            }
            perform(action)
        } catch {
            fail(error)
        }
    }

    private static var loopEnded: MQTTError {
        MQTTError(.closed, "the event loop was shut down: use another one")
    }

    func permitted() {
        holdsPermission = true
        let action = machine.permitted()
        if case .none = action { releasePermission() } else { perform(action) }
    }

    /// A host was looked up, for this attempt or for an earlier one.
    func resolved(_ host: String, _ result: Result<[String], MQTTError>) {
        guard case .resolving = machine.state, host == broker.host else { return }
        switch result {
        case .success(let addresses): found(addresses)
        case .failure(let error): fail(error)
        }
    }

    func abort() {
        perform(machine.abort())
    }

    /// The connection or the attempt failed with `error`.
    func fail(_ error: MQTTError) {
        let now = core.now
        perform(core.withGenerator { machine.failed(error, at: now, using: &$0) })
    }

    // MARK: Actions of the state machine

    func perform(_ action: MQTTConnectionStateMachine.Action) {
        switch action {
        case .none: break
        case .resolve: resolve()
        case .awaitPermission(let isRetry): awaitPermission(isRetry: isRetry)
        case .open(let address): open(address)
        case .announceConnected(let address): announceConnected(address: address)
        case .retry(let error, let delay): retry(error, after: delay)
        case .stop(let error): stop(error)
        case .drain: drainOutstanding()
        case .disconnect: disconnect()
        case .finish: finish()
        }
    }

    /// The broker of the present attempt or connection.
    var broker: MQTTBrokerAddress { configuration.broker(at: machine.broker) }

    private func resolve() {
        beginConnectDeadline()
        do throws(MQTTError) {
            try locate()
        } catch {
            return fail(error)
        }
        if prepareTLS() { lookUp() }
    }

    /// Asks the locator, if there is one, where the broker is now.
    private func locate() throws(MQTTError) {
        guard let location = try configuration.locator?.location() else { return }
        configuration.broker = location.broker
        configuration.broker.usesTLS = configuration.security.tls != nil
        configuration.credentials = location.credentials
    }

    private func found(_ addresses: [String]) {
        do throws(MQTTError) {
            let permitted = try configuration.security.permitted(
                addresses, of: broker)
            perform(machine.resolved(permitted))
        } catch {
            fail(error)
        }
    }

    func lookUp() {
        let host = broker.host
        guard !HostResolver.isNumeric(host) else { return found([host]) }
        let isFirst = core.lookups[host] == nil
        core.lookups[host, default: []].insert(reference)
        guard isFirst else { return }
        core.findAddresses(host) { [loop] result in
            loop.execute { loop.core.resolved(host, result) }
        }
    }

    private func awaitPermission(isRetry: Bool) {
        deadline = nil
        if isRetry { core.awaitReconnectBudget(reference) } else { enterGate() }
    }

    /// Whether this connection waits for permission to connect.
    var isQueued: Bool { if case .queued = machine.state { true } else { false } }

    /// The reconnect budget allows the attempt; it may still have to wait for other attempts to end.
    func enterGate() {
        if core.gate.enter(reference) { permitted() }
    }

    func releasePermission() {
        guard holdsPermission else { return }
        holdsPermission = false
        core.leaveGate()
    }

    private func retry(_ error: MQTTError, after delay: Duration) {
        release(because: error)
        core.metrics?.willReconnect(after: error)
        // Never at once, so that the loop can serve other connections.
        setDeadline(core.now &+ max(1, delay.wholeNanoseconds))
        core.logger.debug(
            "connection failed", metadata: metadata(error, LogKey.retryIn, "\(delay)"))
        announce(.disconnected(error, retryIn: delay))
    }

    private func stop(_ error: MQTTError) {
        release(because: error)
        core.metrics?.stopped(by: error)
        // A later start() begins with fresh state.
        hasSession = false
        deadline = nil
        core.logger.debug("connection failed for good", metadata: metadata(error))
        announce(.disconnected(error, retryIn: nil))
    }

    private func finish() {
        let error = MQTTError(
            .closed, "the connection was closed by its owner: allow more time to drain")
        let unsent = drain == nil ? [] : window.waitingMessages
        let undelivered = release(because: error)
        closeLingeringSocket()
        deadline = nil
        core.connections.remove(reference)
        let report = drain?.report(undelivered: undelivered, unsent: unsent)
        let completions = drain?.completions ?? []
        drain = nil
        let handler = handler
        self.handler = nil
        core.later {
            if let report { for completion in completions { completion(report) } }
            handler?(.closed)
        }
    }

    /// Releases the handle, and fails everything that waits for an answer.
    @discardableResult
    private func release(because error: MQTTError) -> Int {
        releasePermission()
        closeHandle()
        watch = AcknowledgementWatch(limit: configuration.acknowledgementTimeout)
        let count = window.outstanding
        let outstanding = window.removeAll()
        countDrop(.unanswered, count)
        sendTimes = [:]
        let acknowledgements = acknowledgements
        self.acknowledgements = [:]
        guard count > 0 || !acknowledgements.isEmpty else { return 0 }
        let lost = lost(because: error)
        let unsent = MQTTError(
            error.code == .closed ? .closed : .notConnected,
            "the connection ended before the message was sent: \(error.message)",
            isRetriable: error.code != .closed)
        core.later {
            for receipt in outstanding.sent { receipt.resolve(.failure(lost)) }
            for receipt in outstanding.unsent { receipt.resolveUnsent(unsent) }
            for completion in acknowledgements.values { completion(.failure(lost)) }
        }
        return count
    }

    /// The error for a message or request that the broker may have received.
    func lost(because error: MQTTError) -> MQTTError {
        MQTTError(
            .connectionLost, "the connection ended before the broker answered: \(error.message)",
            isRetriable: error.code != .closed)
    }

    /// Calls the handler after the present call.
    private func announce(_ event: MQTTConnectionEvent) {
        core.later { [self] in handler?(event) }
    }

    private func metadata(
        _ error: MQTTError, _ key: String = LogKey.broker, _ value: String? = nil
    ) -> Logger.Metadata {
        [
            LogKey.clientID: "\(clientID)", LogKey.error: "\(error)",
            key: "\(value ?? broker.description)",
        ]
    }

    // MARK: Deadlines

    /// The one deadline; its meaning depends on the state. Nil is none.
    func setDeadline(_ time: UInt64) {
        deadline = time
        guard time < armedDeadline else { return }
        armedDeadline = time
        core.schedule(.connection(reference), at: time)
    }

    /// Whether an entry of the timer queue is still valid: only the earliest one is.
    func awaits(_ time: UInt64) -> Bool { time == armedDeadline }

    /// An entry of the timer queue is due.
    func timerFired(_ time: UInt64) {
        guard awaits(time) else { return }
        armedDeadline = .max
        guard let deadline else { return }
        guard deadline <= core.now else { return setDeadline(deadline) }
        self.deadline = nil
        deadlineReached()
    }

    private func deadlineReached() {
        switch machine.state {
        case .backingOff: perform(machine.retryDue())
        case .resolving, .connecting: fail(connectTimeout)
        case .connected: checkKeepAlive()
        case .draining: checkDrain()
        case .lingering: perform(machine.lingerEnded())
        case .idle, .queued, .stopped, .closed: break
        }
    }

    func beginConnectDeadline() {
        setDeadline(core.now &+ configuration.connectTimeout.wholeNanoseconds)
    }

    private var connectTimeout: MQTTError {
        MQTTError(
            .connectTimeout,
            "\(broker) did not accept the connection within \(configuration.connectTimeout): "
                + missing, isRetriable: true)
    }

    /// What was missing when the connect timeout passed.
    private var missing: String {
        if case .resolving = machine.state {
            return "its address was not found, check the resolver"
        }
        guard isTransportOpen else {
            return "no TCP connection came about, check the address and firewalls"
        }
        return handle?.isHandshaking == true
            ? "the TLS handshake was not finished, check that it speaks TLS there"
            : "no CONNACK came, check that an MQTT broker listens there"
    }
}
