internal import Basics
private import CMosquittoShims
public import CoreMetrics
private import Glibc
public import Logging

/// One thread, one `epoll`, and any number of MQTT connections.
///
/// It is a serial executor: an actor whose `unownedExecutor` is the loop runs on its thread and may use
/// ``MQTTConnection`` synchronously. Submitting work from the loop's own thread costs no system call. A
/// loop runs until ``shutdown()``; never block its thread.
public final class MQTTEventLoop: SerialExecutor, Sendable {
    /// The name of the loop, and of its thread.
    public let label: String
    private let incoming = Guarded(LoopIncoming())
    private let wakeUp: Int32
    private let clock: LoopClock
    /// Invariant: accessed only on a thread that is marked as this loop's; `core` checks it.
    nonisolated(unsafe) private let confined: EventLoopCore

    /// How many times newly added work is executed before the sockets are served: a task may need several jobs
    /// from a message to its response, which should be sent with the same write.
    private static let passesPerRound = 8
    /// The interval at which gauges are reported.
    private static let sampleInterval = Duration.seconds(5)

    /// Starts the thread. At most `maximumOutstandingConnects` connection attempts of the loop run at once, and
    /// attempts after a failure share `reconnectBudget`. Metrics of all connections go to `metricsFactory`,
    /// or without one to the process's present backend. Throws `resourcesExhausted` without descriptors or
    /// threads.
    public convenience init(
        label: String = "mqtt", maximumOutstandingConnects: Int = 64,
        reconnectBudget: MQTTReconnectBudget = MQTTReconnectBudget(),
        logger: Logger = Logger(label: "homeport.mqtt"),
        metricsFactory: (any MetricsFactory)? = nil
    ) throws(MQTTError) {
        try self.init(
            label: label, clock: .system, maximumOutstandingConnects: maximumOutstandingConnects,
            reconnectBudget: reconnectBudget, logger: logger, metricsFactory: metricsFactory)
    }

    /// As the public initializer, with a clock for tests. The wrapped library measures no time that the loop
    /// depends on, so a manual clock controls every timeout, ping and retry.
    package init(
        label: String, clock: LoopClock, maximumOutstandingConnects: Int = 64,
        reconnectBudget: MQTTReconnectBudget = MQTTReconnectBudget(),
        logger: Logger = Logger(label: "homeport.mqtt"),
        metricsFactory: (any MetricsFactory)? = nil
    ) throws(MQTTError) {
        self.label = label
        self.clock = clock
        let core = try EventLoopCore(
            logger: logger,
            metrics: LoopMetrics(loop: label, factory: metricsFactory ?? MetricsSystem.factory),
            maximumOutstandingConnects: maximumOutstandingConnects,
            reconnectBudget: reconnectBudget, clock: clock)
        self.wakeUp = core.poller.wakeUp
        self.confined = core
        clock.whenMoved { [weak self] in self?.wake() }
        try LoopThread.start(name: label) { [self] in run() }
    }

    /// Whether the caller runs on this loop.
    public var isCurrent: Bool { cmosquitto_current_loop() == identity }

    /// The loop's own state. Only for code that runs on the loop.
    var core: EventLoopCore {
        precondition(isCurrent, "MQTTConnection and its loop may be used only on the loop's thread")
        return confined
    }

    private var identity: UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: Work

    /// Runs `body` on the loop soon, after work that is already queued. Callable from any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        submit(.call(body))
    }

    /// Runs `body` once on the loop, after at least `delay` of monotonic time, unless the loop ends first.
    /// Callable from any thread.
    @discardableResult
    public func schedule(
        after delay: Duration, _ body: @escaping @Sendable () -> Void
    ) -> MQTTTimer {
        let timer = MQTTTimer(body)
        let deadline = clock.nanoseconds &+ delay.wholeNanoseconds
        if isCurrent {
            confined.schedule(.timer(timer), at: deadline)
        } else {
            submit(.call { [self] in core.schedule(.timer(timer), at: deadline) })
        }
        return timer
    }

    /// Whether ``shutdown()`` was called.
    var isEnding: Bool { incoming.withLock { $0.isStopping } }

    /// Runs `body` on the loop unless the loop, and with it every connection, has ended.
    func executeWhileOpen(_ body: @escaping @Sendable () -> Void) {
        guard isCurrent || !incoming.withLock({ $0.isStopped }) else { return }
        submit(.call(body))
    }

    func submit(_ work: LoopWork) {
        if isCurrent {
            confined.backlog.local.append(work)
            return
        }
        switch incoming.withLock({ $0.add(work) }) {
        case .none: break
        case .wake: wake()
        case .serve: serve()
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(isCurrent, "not on the MQTT event loop \(label)")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Life

    /// Ends every connection without DISCONNECT, fails everything outstanding, and waits for the thread to
    /// end. To end connections in order, close them first. Idempotent.
    public func shutdown() async {
        await withCheckedContinuation { waiter in
            let isStopping = incoming.withLock { $0.stop(waiter) }
            if isStopping { wake() } else { waiter.resume() }
        }
    }

    private func run() {
        cmosquitto_block_signals()
        cmosquitto_current_loop_set(identity)
        sampleMetrics()
        var buffer: [LoopWork] = []
        while !incoming.withLock({ $0.isStopping }) {
            round(&buffer)
            confined.poll()
            confined.expireTimers()
        }
        for driver in confined.connections.drivers { driver.abort() }
        leave(&buffer)
    }

    /// Reports the gauges now and at intervals, if there is a metrics backend.
    private func sampleMetrics() {
        guard core.metrics != nil else { return }
        core.recordSample()
        schedule(after: Self.sampleInterval) { [weak self] in self?.sampleMetrics() }
    }

    /// Executes all queued work, then writes once for each connection with queued packets.
    private func round(_ buffer: inout [LoopWork]) {
        incoming.withLock { $0.take(into: &buffer) }
        perform(&buffer)
        for _ in 0..<Self.passesPerRound where !confined.backlog.local.isEmpty {
            swap(&buffer, &confined.backlog.local)
            perform(&buffer)
        }
        confined.runDeferred(passes: Self.passesPerRound)
        confined.flush()
    }

    private func perform(_ work: inout [LoopWork]) {
        for item in work {
            switch item {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .task(let job, let executor): job.runSynchronously(on: executor)
            case .call(let body): body()
            }
        }
        work.clear()
    }

    /// Executes the remaining work, releases the loop and resumes the tasks that wait for its end.
    private func leave(_ buffer: inout [LoopWork]) {
        var waiters: [CheckedContinuation<Void, Never>]?
        repeat {
            repeat { round(&buffer) } while confined.isBusy
            waiters = incoming.withLock { $0.finish() }
        } while waiters == nil
        cmosquitto_current_loop_set(nil)
        for waiter in waiters ?? [] { waiter.resume() }
    }

    /// Runs jobs that come after the end on a thread of their own, because their tasks would hang otherwise.
    private func serve() {
        do throws(MQTTError) {
            try LoopThread.start(name: label) { [self] in
                cmosquitto_block_signals()
                cmosquitto_current_loop_set(identity)
                var buffer: [LoopWork] = []
                leave(&buffer)
            }
        } catch {
            preconditionFailure("no thread for jobs after the end of a loop: \(error)")
        }
    }
}
