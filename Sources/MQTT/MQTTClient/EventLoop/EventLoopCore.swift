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
    var lookups = HostLookups()
    var admission: ConnectAdmission
    var tlsContexts = TLSContextStore()
    var backlog = LoopBacklog()
    /// When the present round started, nanoseconds.
    private(set) var now: UInt64
    private var reserve = DescriptorReserve()

    init(
        logger: Logger, metrics: LoopMetrics?, maximumOutstandingConnects: Int,
        reconnectBudget: MQTTReconnectBudget, clock: LoopClock
    ) throws(MQTTError) {
        self.logger = logger
        self.clock = clock
        self.now = clock.nanoseconds
        self.metrics = metrics
        self.poller = try Poller()
        self.admission = ConnectAdmission(
            maximumOutstanding: maximumOutstandingConnects, budget: reconnectBudget)
    }

    /// Calls `body` after the present call has returned, on the loop.
    func later(_ body: @escaping () -> Void) {
        backlog.deferred.append(body)
    }

    /// A socket was opened: enlarges the descriptor table in time for the next ones.
    func opened(_ socket: Int32) {
        guard let count = reserve.opened(socket) else { return }
        // Without a thread for it the table grows later, while the loop waits.
        try? LoopThread.start(name: "mqtt-descriptors") { DescriptorReserve.makeRoom(for: count) }
    }

    // MARK: One round

    /// Whether there is work to do without waiting for events.
    var isBusy: Bool { !backlog.isEmpty }

    /// Bounded, so that work that keeps adding work does not starve the sockets.
    func runDeferred(passes: Int) {
        for _ in 0..<passes {
            guard var batch = backlog.deferred.take() else { return }
            for body in batch { body() }
            batch.clear()
            backlog.deferred.recycle(batch)
        }
    }

    /// Writes what this round queued, once per connection.
    func flush() {
        guard var batch = backlog.dirty.take() else { return }
        for driver in batch { driver.flush() }
        batch.clear()
        backlog.dirty.recycle(batch)
    }

    func poll() {
        let count = poller.wait(nanoseconds: isBusy ? 0 : clock.timeLeft(until: timers.next))
        now = clock.nanoseconds
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
            poller.fullWaits == 0 || poller.fullWaits > connections.capacity / Poller.capacity
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
        let wasIdle = admission.reconnects.isEmpty
        if admission.reconnects.enter(reference, at: now) {
            connections[reference]?.enterGate(waiting: admission.retriesWaitForOutstanding)
        } else if wasIdle {
            armReconnects()
        }
    }

    private func releaseReconnects() {
        while let reference = admission.reconnects.release(
            at: now, where: { connections[$0]?.machine.isQueued ?? false })
        {
            connections[reference]?.enterGate(waiting: admission.retriesWaitForOutstanding)
        }
        armReconnects()
    }

    private func armReconnects() {
        if let next = admission.reconnects.nextRelease { schedule(.reconnects, at: next) }
    }

    /// An attempt has ended; the connection that has waited longest goes next.
    func leaveGate() {
        while let next = admission.gate.leave() {
            guard let driver = connections[next] else { continue }
            later { driver.permitted() }
            return
        }
    }
}
