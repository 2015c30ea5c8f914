internal import Logging

/// What only the thread of a loop touches: sockets, timers, connections, and what is to be done next.
final class EventLoopCore {
    let logger: Logger
    let poller: Poller
    private let clock: LoopClock
    /// Nil where there is no backend to report to.
    let metrics: LoopMetrics?
    let ports = MosquittoPorts()
    private var timers = TimerQueue()
    var connections = ConnectionTable()
    var gate: ConnectGate<ConnectionTable.Reference>
    /// Hosts that are being looked up, and who waits for them.
    var lookups: [String: Set<ConnectionTable.Reference>] = [:]
    /// Finds the addresses of a host without blocking; the answer may come on any thread.
    var findAddresses: (String, @escaping @Sendable (Result<[String], MQTTError>) -> Void) -> Void =
        HostResolver.resolve
    /// Attempts after a failure that wait for the loop's budget.
    var reconnects: ReconnectQueue<ConnectionTable.Reference>
    var tlsContexts = TLSContextStore()
    /// Work that the loop gave itself.
    var local: [LoopWork] = []
    /// Connections that may have something to write.
    var dirty = Backlog<MQTTConnectionDriver>()
    /// The time at which the present round began, nanoseconds.
    private(set) var now: UInt64
    private var deferred = Backlog<() -> Void>()
    private var reserve = DescriptorReserve()
    /// Rounds in a row in which more sockets had something to say than one round hears.
    private var fullRounds = 0
    private var generation: UInt32 = 0
    private var generator = SystemRandomNumberGenerator()

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
    }

    /// Calls `body` after the present call has returned, on the loop.
    func later(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    /// A number that no earlier socket of this loop was registered under.
    func nextGeneration() -> UInt32 {
        generation &+= 1
        return generation
    }

    /// A socket was opened; those that follow shall find room.
    func opened(_ socket: Int32) {
        guard let count = reserve.opened(socket) else { return }
        // Without a thread the loop will wait for it some time.
        try? LoopThread.start(name: "mqtt-descriptors") { DescriptorReserve.makeRoom(for: count) }
    }

    /// Passes an event to a machine that needs random numbers.
    func withGenerator<Value>(_ body: (inout SystemRandomNumberGenerator) -> Value) -> Value {
        body(&generator)
    }

    // MARK: One round

    /// Whether there is something to do without waiting.
    var isBusy: Bool { !local.isEmpty || !deferred.isEmpty || !dirty.isEmpty }

    /// What brings more every time may not keep the sockets waiting.
    func runDeferred(passes: Int) {
        for _ in 0..<passes {
            guard let batch = deferred.take() else { return }
            for body in batch { body() }
            deferred.recycle(batch)
        }
    }

    /// One write per connection for all that this round queued.
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
            connections.driver(forToken: readiness.token)?.socketReady(readiness)
        }
    }

    // MARK: Timers

    /// How many deadlines are kept, among them some that nobody waits for.
    var deadlineCount: Int { timers.count }

    func schedule(_ target: TimerQueue.Target, at deadline: UInt64) {
        clock.scheduled(deadline)
        timers.add(target, at: deadline, whereOthers: isAwaited)
    }

    private func isAwaited(_ target: TimerQueue.Target, at deadline: UInt64) -> Bool {
        switch target {
        case .timer(let timer): !timer.isCancelled
        case .connection(let reference): connections[reference]?.awaits(deadline) ?? false
        case .reconnects: true
        }
    }

    /// What has come is heard before it is missed, also after a pause of the whole process.
    func expireTimers() {
        let isEverySocketHeard =
            fullRounds == 0 || fullRounds > connections.capacity / Poller.capacity
        guard isEverySocketHeard else { return }
        while let (target, deadline) = timers.popDue(at: now) {
            switch target {
            case .timer(let timer): timer.fire()
            case .connection(let reference): connections[reference]?.timerFired(deadline)
            case .reconnects: releaseReconnects()
            }
        }
    }

    // MARK: Metrics

    /// Reports what the connections hold at this moment.
    func recordSample() {
        guard let metrics else { return }
        var sample = LoopMetrics.Sample()
        for driver in connections.drivers { driver.add(to: &sample) }
        metrics.record(sample)
    }

    // MARK: Connecting

    /// Lets an attempt after a failure go on as soon as the budget has room for it.
    func awaitReconnectBudget(_ reference: ConnectionTable.Reference) {
        let wasIdle = reconnects.isEmpty
        if reconnects.enter(reference, at: now) {
            connections[reference]?.enterGate()
        } else if wasIdle {
            armReconnects()
        }
    }

    private func releaseReconnects() {
        while let reference = reconnects.release(
            at: now, where: { connections[$0]?.isQueued ?? false })
        {
            connections[reference]?.enterGate()
        }
        armReconnects()
    }

    private func armReconnects() {
        if let next = reconnects.nextRelease { schedule(.reconnects, at: next) }
    }

    /// An attempt is over; whoever waits longest goes next.
    func leaveGate() {
        while let next = gate.leave() {
            guard let driver = connections[next] else { continue }
            later { driver.permitted() }
            return
        }
    }

    /// The addresses of a host that was looked up.
    func resolved(_ host: String, _ result: Result<[String], MQTTError>) {
        for reference in lookups.removeValue(forKey: host) ?? [] {
            connections[reference]?.resolved(host, result)
        }
    }
}
