internal import Basics

/// The implementation of an ``MQTTConnection``: passes what happens to its parts, which are values, and does
/// on the loop what they return. The loop keeps it alive while it is open; the owner holds the
/// ``MQTTConnection``.
final class MQTTConnectionDriver {
    /// What was configured, with the broker and credentials that a locator has found.
    var configuration: MQTTConfiguration
    let reference: ConnectionTable.Reference
    let core: EventLoopCore
    let loop: MQTTEventLoop
    private(set) var handler: (MQTTConnectionEvent) -> Void
    var machine: MQTTConnectionStateMachine
    var session: SessionState
    var outbox: Outbox
    var socket = SocketBinding()
    var liveness: Liveness
    var deadline = ConnectionDeadline()
    /// The network to the broker, where a simulator shapes it.
    var link: ShapedLink?

    init(
        configuration: MQTTConfiguration, loop: MQTTEventLoop,
        handler: @escaping (MQTTConnectionEvent) -> Void
    ) {
        self.configuration = configuration
        self.loop = loop
        self.core = loop.core
        self.reference = core.connections.reserve()
        self.handler = handler
        self.machine = MQTTConnectionStateMachine(configuration)
        self.session = SessionState(clientID: configuration.clientID)
        self.outbox = Outbox(configuration)
        self.liveness = Liveness(acknowledgementTimeout: configuration.acknowledgementTimeout)
        core.connections.insert(self, at: reference)
    }

    // MARK: Events of the owner and the loop

    func start() {
        transition { $0.start() }
    }

    func abort() {
        transition { $0.abort() }
    }

    /// The connection or the attempt failed with `error`.
    func fail(_ error: MQTTError) {
        transition { machine in
            var generator = SystemGenerator()
            return machine.failed(error, at: core.now, using: &generator)
        }
    }

    // MARK: Actions of the state machine

    /// Passes an event to the machine and takes the action that it returns. A connection has a place among the
    /// attempts of the loop exactly while it is connecting.
    func transition(
        _ event: (inout MQTTConnectionStateMachine) -> MQTTConnectionStateMachine.Action
    ) {
        let wasConnecting = machine.isConnecting
        let action = event(&machine)
        if wasConnecting, !machine.isConnecting { core.leaveGate() }
        switch action {
        case .none: break
        case .resolve(let isRetry): resolve(isRetry: isRetry)
        case .awaitPermission(let isRetry): awaitPermission(isRetry: isRetry)
        case .open(let address): open(address)
        case .announceConnected(let address): announceConnected(address: address)
        case .retry(let error, let delay): failed(error, retryIn: delay)
        case .stop(let error): failed(error, retryIn: nil)
        case .drain: drainOutstanding()
        case .disconnect(let properties): disconnect(properties)
        case .finish(let drain): finish(drain)
        }
    }

    /// `delay` is the time until the next attempt; nil if there will be none.
    private func failed(_ error: MQTTError, retryIn delay: Duration?) {
        release(because: error)
        if let delay {
            core.metrics?.willReconnect(after: error)
            // Never at once, so that the loop can serve other connections.
            setDeadline(core.now &+ max(1, delay.wholeNanoseconds))
        } else {
            core.metrics?.stopped(by: error)
            session.stopped()
            deadline.clear()
        }
        log.failed(error, retryIn: delay, at: broker)
        core.later { [self] in handler(.disconnected(error, retryIn: delay)) }
    }

    private func finish(_ drain: DrainProgress?) {
        let unsent = drain == nil ? [] : outbox.waitingMessages
        let undelivered = release(because: .closedByOwner)
        deadline.clear()
        core.connections.remove(reference)
        let handler = handler
        // It may hold the owner, which holds this connection.
        self.handler = { _ in }
        core.later {
            drain?.complete(undelivered: undelivered, unsent: unsent)
            handler(.closed)
        }
    }

    /// Closes the socket, and fails everything that waits for an answer. Returns how many messages did.
    @discardableResult
    private func release(because error: MQTTError) -> Int {
        socket.close()?.close()
        liveness = Liveness(acknowledgementTimeout: configuration.acknowledgementTimeout)
        let count = outbox.outstanding
        countDrop(.unanswered, count)
        let remainder = outbox.removeAll()
        guard count > 0 || !remainder.requests.isEmpty else { return 0 }
        core.later { remainder.fail(because: error) }
        return count
    }

    // MARK: Deadlines

    func setDeadline(_ time: UInt64) {
        if deadline.set(to: time) { core.schedule(.connection(reference), at: time) }
    }

    /// An entry of the timer queue is due.
    func timerFired(_ entry: UInt64) {
        switch deadline.fired(entry, at: core.now) {
        case .stale: break
        case .moved(let time): setDeadline(time)
        case .reached: deadlineReached()
        }
    }

    private func deadlineReached() {
        switch machine.state {
        case .backingOff: transition { $0.retryDue() }
        case .resolving, .connecting:
            fail(.connectTimeout(configuration, broker, missing: socket.missing))
        case .connected: checkLiveness()
        case .draining(let drain) where core.now < drain.end: checkLiveness()
        case .draining: transition { $0.drained() }
        case .lingering: transition { $0.lingerEnded() }
        case .idle, .queued, .stopped, .closed: break
        }
    }

    /// Reading and keep-alive continue until a drain is over.
    func checkLiveness() {
        switch liveness.verdict(at: core.now, isReading: socket.isReading) {
        case .alive: break
        case .pingDue: ping()
        case .silent: return fail(.keepAliveTimeout(of: broker))
        case .unacknowledged: return fail(.acknowledgementTimeout(configuration, broker))
        }
        scheduleCheck()
    }

    func scheduleCheck() {
        let end = machine.drainEnd
        let check = liveness.nextCheck(after: core.now, isReading: socket.isReading)
        if let next = check.map({ min($0, end ?? $0) }) ?? end { setDeadline(next) }
    }

    var log: ConnectionLog { ConnectionLog(logger: core.logger, clientID: session.clientID) }

    func countDrop(_ reason: MQTTDropReason, _ count: Int = 1) {
        guard count > 0 else { return }
        outbox.drops.add(count, reason)
        core.metrics?.dropped(count, reason)
    }
}
