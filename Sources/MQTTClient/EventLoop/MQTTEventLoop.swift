private import CMosquittoShims
public import CoreMetrics
private import Glibc
internal import Locking
public import Logging

/// One thread, one `epoll`, and any number of MQTT connections.
///
/// It is a serial executor: an actor whose `unownedExecutor` is the loop lives on its thread and may use
/// ``MQTTConnection`` synchronously. Work given to the loop from its own thread costs no system call.
/// A loop runs until ``shutdown()``; never block its thread.
public final class MQTTEventLoop: SerialExecutor, Sendable {
    /// The name of the loop, and of its thread.
    public let label: String
    private let incoming = Guarded(LoopIncoming())
    private let wakeUp: Int32
    private let clock: LoopClock
    /// Invariant: touched only while the calling thread is marked as this loop's; `core` checks it.
    nonisolated(unsafe) private let confined: EventLoopCore

    /// How often work that brings more work is followed before the sockets have their turn: a task may
    /// need several jobs from a message to its answer, which shall go out with the same write.
    private static let passesPerRound = 8
    /// How often gauges are reported.
    private static let sampleInterval = Duration.seconds(5)

    /// Starts the thread. At most `maximumOutstandingConnects` connection attempts run at once, and those
    /// that follow a failure keep to `reconnectBudget`, all connections of the loop together. Metrics of
    /// all connections go to `metricsFactory`, or without one to the process's backend at this moment.
    /// Throws `resourcesExhausted` without descriptors or threads.
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

    /// As the public one, with a clock of its own. The wrapped library measures nothing that the loop
    /// waits for, so a clock that stands still holds back every timeout, ping and retry.
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

    /// Runs `body` on the loop, soon, after what is already waiting. Callable from any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        submit(.call(body))
    }

    /// Fires `body` on the loop once, after at least `delay` of monotonic time, unless the loop ends before.
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

    /// Runs `body` on the loop unless that has ended, and with it every connection.
    func executeWhileOpen(_ body: @escaping @Sendable () -> Void) {
        guard isCurrent || !incoming.withLock({ $0.isStopped }) else { return }
        submit(.call(body))
    }

    func submit(_ work: LoopWork) {
        if isCurrent {
            confined.local.append(work)
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

    /// Ends every connection without DISCONNECT, fails what is outstanding, and waits for the thread to
    /// end. Close connections first if they shall end in order. Idempotent.
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

    /// Reports the gauges, now and again after a while, where there is somebody to report to.
    private func sampleMetrics() {
        guard core.metrics != nil else { return }
        core.recordSample()
        schedule(after: Self.sampleInterval) { [weak self] in self?.sampleMetrics() }
    }

    /// Everything that waits, then one write per connection that it touched.
    private func round(_ buffer: inout [LoopWork]) {
        incoming.withLock { $0.take(into: &buffer) }
        perform(&buffer)
        for _ in 0..<Self.passesPerRound where !confined.local.isEmpty {
            swap(&buffer, &confined.local)
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

    /// Runs what is left, hands the loop back and tells who waits for its end.
    private func leave(_ buffer: inout [LoopWork]) {
        var waiters: [CheckedContinuation<Void, Never>]?
        repeat {
            repeat { round(&buffer) } while confined.isBusy
            waiters = incoming.withLock { $0.finish() }
        } while waiters == nil
        cmosquitto_current_loop_set(nil)
        for waiter in waiters ?? [] { waiter.resume() }
    }

    /// Jobs must run even after the end: their tasks would hang. A thread of its own does that.
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
