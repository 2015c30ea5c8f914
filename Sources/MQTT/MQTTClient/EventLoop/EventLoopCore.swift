internal import Basics
internal import Logging

/// The state that is confined to a loop's thread: sockets, timers, connections and local work.
final class EventLoopCore {
    let logger: Logger
    let poller: Poller
    private let clock: LoopClock
    /// Nil without a metrics backend.
    let metrics: LoopMetrics?
    let buffers = SharedLibraryBuffers()
    private var timers = TimerQueue()
    var connections = ConnectionTable()
    /// What stands between connections and the network.
    var relays = LinkRelays()
    var gate: ConnectGate<ConnectionTable.Reference>
    /// Hosts that are being looked up, and the connections that wait for them.
    var lookups: [String: Set<ConnectionTable.Reference>] = [:]
    /// Finds the addresses of a host without blocking; the answer may come on any thread.
    var findAddresses: (String, @escaping @Sendable (Result<[String], MQTTError>) -> Void) -> Void =
        HostResolver.resolve
    /// Attempts after a failure, which wait for the reconnect budget.
    var reconnects: ReconnectQueue<ConnectionTable.Reference>
    /// Whether they wait for other attempts to end, too.
    private let retriesWaitForOutstanding: Bool
    var tlsContexts = TLSContextStore()
    /// Work that was scheduled on the loop's own thread.
    var local: [LoopWork] = []
    /// Connections with queued packets.
    var dirty = Backlog<MQTTConnectionDriver>()
    /// When the present round started, nanoseconds.
    private(set) var now: UInt64
    private var deferred = Backlog<() -> Void>()
    private var reserve = DescriptorReserve()
    /// How many rounds in a row had more socket events than one round handles.
    private var fullRounds = 0
    private var generation: UInt32 = 0
    private var generator = SystemGenerator()

    init(
        logger: Logger, metrics: LoopMetrics?, maximumOutstandingConnects: Int,
        reconnectBudget: MQTTReconnectBudget, clock: LoopClock
    ) throws(MQTTError) {
        self.logger = logger
        self.clock = clock
        self.now = clock.nanoseconds
        self.metrics = metrics
        self.poller = try Poller()
        self.gate = ConnectGate(capacity: maximumOutstandingConnects)
        self.reconnects = ReconnectQueue(budget: reconnectBudget)
        self.retriesWaitForOutstanding = reconnectBudget.waitsForOutstanding
    }

    /// Calls `body` after the present call has returned, on the loop.
    func later(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    /// Identifies the next socket of a connection to the poller, as no earlier socket of this loop.
    func nextToken(_ reference: ConnectionTable.Reference) -> UInt64 {
        generation &+= 1
        return ConnectionTable.token(reference, generation: generation)
    }

    /// A socket was opened: enlarges the descriptor table in time for the next ones.
    func opened(_ socket: Int32) {
        guard let count = reserve.opened(socket) else { return }
        // Without a thread for it the table grows later, while the loop waits.
        try? LoopThread.start(name: "mqtt-descriptors") { DescriptorReserve.makeRoom(for: count) }
    }

    /// Passes an event to a machine that needs random numbers.
    func withGenerator<Value>(_ body: (inout SystemGenerator) -> Value) -> Value {
        body(&generator)
    }

    // MARK: One round

    /// Whether there is work to do without waiting for events.
    var isBusy: Bool { !local.isEmpty || !deferred.isEmpty || !dirty.isEmpty }

    /// Bounded, so that work that keeps adding work does not starve the sockets.
    func runDeferred(passes: Int) {
        for _ in 0..<passes {
            guard let batch = deferred.take() else { return }
            for body in batch { body() }
            deferred.recycle(batch)
        }
    }

    /// Writes what this round queued, once per connection.
    func flush() {
        guard let batch = dirty.take() else { return }
        for driver in batch { driver.flush() }
        dirty.recycle(batch)
    }

    func poll() {
        let count = poller.wait(nanoseconds: isBusy ? 0 : clock.timeLeft(until: timers.next))
        now = clock.nanoseconds
        fullRounds = count == Poller.capacity ? fullRounds + 1 : 0
        for index in 0..<count {
            guard let readiness = poller.readiness(at: index) else { continue }
            if let driver = connections.driver(forToken: readiness.token) {
                driver.socketReady(readiness)
            } else if let (relay, side) = relays.relay(forToken: readiness.token) {
                relay.ready(side, isBroken: readiness.isBroken)
            }
        }
    }

    // MARK: Timers

    /// How many deadlines are in the queue, including cancelled ones.
    var deadlineCount: Int { timers.count }

    func schedule(_ target: TimerQueue.Target, at deadline: UInt64) {
        clock.scheduled(deadline)
        timers.add(target, at: deadline, whereOthers: isAwaited)
    }

    private func isAwaited(_ target: TimerQueue.Target, at deadline: UInt64) -> Bool {
        switch target {
        case .timer(let timer): !timer.isCancelled
        case .connection(let reference): connections[reference]?.deadline.awaits(deadline) ?? false
        case .reconnects: true
        case .relay(let id): relays[id]?.deadline.awaits(deadline) ?? false
        }
    }

    /// Reads pending socket events before timers expire, so that a pause of the process causes no timeouts.
    func expireTimers() {
        let isEverySocketHeard =
            fullRounds == 0 || fullRounds > connections.capacity / Poller.capacity
        guard isEverySocketHeard else { return }
        while let (target, deadline) = timers.popDue(at: now) {
            switch target {
            case .timer(let timer): timer.fire()
            case .connection(let reference): connections[reference]?.timerFired(deadline)
            case .reconnects: releaseReconnects()
            case .relay(let id): relays[id]?.timerFired(deadline)
            }
        }
    }

    // MARK: Metrics

    /// Reports what the connections hold at this moment.
    func recordSample() {
        guard let metrics else { return }
        var sample = LoopMetrics.Sample()
        for driver in connections.drivers {
            if driver.machine.isConnected { sample.connections += 1 }
            driver.outbox.add(to: &sample, at: now)
        }
        metrics.record(sample)
    }

    // MARK: Connecting

    /// Permits an attempt after a failure as soon as the budget allows it.
    func awaitReconnectBudget(_ reference: ConnectionTable.Reference) {
        let wasIdle = reconnects.isEmpty
        if reconnects.enter(reference, at: now) {
            connections[reference]?.enterGate(waiting: retriesWaitForOutstanding)
        } else if wasIdle {
            armReconnects()
        }
    }

    private func releaseReconnects() {
        while let reference = reconnects.release(
            at: now, where: { connections[$0]?.machine.isQueued ?? false })
        {
            connections[reference]?.enterGate(waiting: retriesWaitForOutstanding)
        }
        armReconnects()
    }

    private func armReconnects() {
        if let next = reconnects.nextRelease { schedule(.reconnects, at: next) }
    }

    /// An attempt has ended; the connection that has waited longest goes next.
    func leaveGate() {
        while let next = gate.leave() {
            guard let driver = connections[next] else { continue }
            later { driver.permitted() }
            return
        }
    }
}
