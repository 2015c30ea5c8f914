public import Connectivity
internal import DequeModule
public import DeviceDomain
internal import DeviceMessages

/// Takes commands, writes them into the ledger, sends them, and follows each to its end.
///
/// It works while ``run()`` runs. What it accepted is in the ledger; when the process ends, the
/// next process of the same ledger and controller goes on through ``resume(in:finding:)``.
///
/// It joins the parts that know something — ``CommandLifecycle``, ``CommandQueue``,
/// `DeviceConversation`, `CommandWaits` — with the ledger and the clock.
public actor CommandInvoker {
    /// How many settled commands are remembered for callers that come late.
    static let rememberedCommands = 1_024
    /// How many anomalies one process records, so that a faulty device does not fill the ledger.
    static let notedAnomalies = 1_000
    /// How many commands' changes are written together, so that a change of another command does not wait
    /// for those of a device with a long queue.
    static let largestBatch = 512
    /// How many events may wait for a command before a device that says more of it has to wait.
    static let waitingEvents = 16
    /// For how many devices commands of a dead process are taken over at once: enough to share the commits
    /// of the ledger, and few enough that the first ones are asked while the last ones are taken over.
    static let adoptionsAtOnce = 64
    /// How long after a failure of the ledger a change is written again.
    static let ledgerRetry = Duration.seconds(1)

    /// How often the log is looked at for commands that another process withdrew, while some wait.
    static let withdrawalInterval = Duration.seconds(3)
    /// How many commands may wait for one device: as many as its record holds (PROTOCOL section 3).
    static let longestQueue = 10_000

    /// Whether the invoker works.
    enum Operation {
        /// It was not started yet.
        case idle
        /// ``run()`` runs, or is about to.
        case running
        /// ``run()`` has ended, or is about to.
        case stopped
    }

    /// On whose behalf commands are sent.
    public let controller: ControllerID
    let ledger: any CommandLedger
    let factory: CommunicationStrategyFactory
    let clock: any CommandClock
    var generator: any RandomNumberGenerator & Sendable

    var commands = TrackedCommands()
    var conversations: [ConversationID: DeviceConversation] = [:]
    var links: [ChannelID: ChannelLink] = [:]
    var sends: [ChannelID: SendSlots] = [:]
    var questions: [ChannelID: SendSlots] = [:]
    var waits = CommandWaits()
    var wakes = WakeList<Sleeper>()
    var settledOrder: [CommandID] = []
    private var pendingWork: Deque<InvokerWork> = []
    private(set) var operation = Operation.idle
    var anomaliesNoted = 0
    /// Where the ledger's log ended when it was last looked at.
    var endOfLog: Int?
    var followsWithdrawals = false
    let watchers = ChangeWatchers()
    let bell: StreamSource<Void>
    private let bells: BoundedStream<Void>

    /// What was dropped or could not be done.
    public internal(set) var counters = InvokerCounters()

    /// An invoker that does nothing before it runs.
    /// - Parameters:
    ///   - controller: on whose behalf commands are sent.
    ///   - ledger: what is written before anything is sent.
    ///   - factory: the channels, and which device uses which.
    ///   - clock: the wall clock and a monotonic one.
    ///   - generator: of ids and of the scatter of resends.
    public init(
        controller: ControllerID, ledger: any CommandLedger,
        factory: CommunicationStrategyFactory, clock: any CommandClock = MachineClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.controller = controller
        self.ledger = ledger
        self.factory = factory
        self.clock = clock
        self.generator = generator
        (bells, bell) = BoundedStream.make(.dropOldest(limit: 1))
    }

    /// Does the invoker's work until the task is cancelled: conversations, sends, waits.
    /// To be called once; ``whileRunning(_:)`` calls it itself.
    public func run() async {
        begin()
        // A group searches all its tasks for one that has ended, so the many that last have a group of
        // their own.
        await withDiscardingTaskGroup { listeners in
            await withDiscardingTaskGroup { group in
                for await _ in bells {
                    presentNewcomers()
                    while let work = takeWork() {
                        if work.isLasting {
                            listeners.addTask { await self.perform(work) }
                        } else {
                            group.addTask { await self.perform(work) }
                        }
                    }
                }
                operation = .stopped
                // What a device has said is written down.
                while let work = takeWork() {
                    if case .handleEvents = work { group.addTask { await self.perform(work) } }
                }
                group.cancelAll()
            }
            listeners.cancelAll()
        }
        for id in conversations.keys { enter(.ended, in: id) }
        waits.endAll()
        watchers.close()
    }

    /// Runs the invoker for as long as `body` does. The body may submit at once.
    public nonisolated func whileRunning<Value: Sendable>(
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        // Before the body, as the task of `run` may begin later than it.
        await begin()
        async let _: Void = run()
        return try await body()
    }

    private func begin() {
        if case .idle = operation { operation = .running }
    }

    /// - Throws: `notRunning`; without ``run()`` nothing would ever be sent.
    func requireRunning() throws(ControlError) {
        switch operation {
        case .running: return
        case .idle:
            throw ControlError(
                .notRunning, "the invoker does not run; call run() or whileRunning(_:) first")
        case .stopped:
            throw ControlError(.notRunning, "the invoker has stopped; make a new one")
        }
    }

    // MARK: Work

    func enqueue(_ work: InvokerWork) {
        pendingWork.append(work)
        bell.send(())
    }

    private func takeWork() -> InvokerWork? {
        pendingWork.popFirst()
    }

    private func perform(_ work: InvokerWork) async {
        switch work {
        case .converse(let id): await converse(in: id)
        case .watchLink(let channel): await watchLink(of: channel)
        case .send(let id, let lane, let first): await send(first, in: lane, of: id)
        case .sleep(let due): await sleep(until: due)
        case .wake(.command(let id)): await post(.wake, to: id)
        case .wake(.stored(let id)): await wakeStored(in: id)
        case .recall(let id): await recallNext(in: id)
        case .handleEvents(let id): await handleEvents(of: [id])
        case .ask(let id): await ask(in: id)
        case .keepSettings(let id): await keepSettings(in: id)
        case .present(let id, let key): await present(id, to: key)
        case .followWithdrawals: await lookForWithdrawals()
        }
    }
}
