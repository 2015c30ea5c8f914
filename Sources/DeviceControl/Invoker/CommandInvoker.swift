public import Connectivity
public import DeviceDomain
internal import DeviceMessages

/// Takes commands, writes them into the ledger, sends them, and follows each to its end.
///
/// It works while ``run()`` runs. What it accepted is in the ledger; when the process ends, the
/// next process of the same ledger and controller goes on through ``resume(in:)``.
public actor CommandInvoker {
    /// How many settled commands are remembered for callers that come late.
    static let rememberedCommands = 1_024
    /// How long a device has to answer a question.
    static let inquiryLifetime = Duration.seconds(10)
    /// How many anomalies one process notes; a device gone wild does not fill the ledger.
    static let notedAnomalies = 1_000
    /// How long after a failure of the ledger a change is written again.
    static let ledgerRetry = Duration.seconds(1)

    /// On whose behalf commands are sent.
    public let controller: ControllerID
    let ledger: any CommandLedger
    let factory: CommunicationStrategyFactory
    let clock: any CommandClock
    var generator: any RandomNumberGenerator & Sendable

    var commands: [CommandID: TrackedCommand] = [:]
    var conversations: [DeviceAddress: Conversation] = [:]
    var links: [ChannelKind: Bool] = [:]
    var settledOrder: [CommandID] = []
    var pendingWork: [InvokerWork] = []
    private(set) var isStopped = false
    var anomaliesNoted = 0
    let bell: StreamSource<Void>
    private let bells: BoundedStream<Void>

    /// What was dropped or could not be done.
    public internal(set) var counters = InvokerCounters()

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
    /// To be called once.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in bells {
                while let work = takeWork() {
                    group.addTask { await self.perform(work) }
                }
            }
            group.cancelAll()
        }
        isStopped = true
        for address in conversations.keys { resumeStarters(at: address) }
    }

    /// Runs the invoker for as long as `body` does.
    public nonisolated func whileRunning<Value: Sendable>(
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        async let _: Void = run()
        return try await body()
    }

    // MARK: Work

    func enqueue(_ work: InvokerWork) {
        pendingWork.append(work)
        bell.send(())
    }

    private func takeWork() -> InvokerWork? {
        pendingWork.isEmpty ? nil : pendingWork.removeFirst()
    }

    private func perform(_ work: InvokerWork) async {
        switch work {
        case .converse(let address): await converse(with: address)
        case .watchLink(let channel): await watchLink(of: channel)
        case .send(let address, let lane): await sendOutbox(of: lane, to: address)
        case .wake(let id, let due): await wake(id, at: due)
        case .inquire(let address): await inquire(of: address)
        }
    }
}

/// What ``CommandInvoker/run()`` does beside itself. There is at most one of each kind for each
/// command, device or channel, so their number is bounded by what is tracked.
enum InvokerWork: Sendable {
    case converse(DeviceAddress)
    case watchLink(any CommunicationChannel)
    case send(DeviceAddress, CommandLane)
    case wake(CommandID, at: Duration)
    case inquire(DeviceAddress)
}

/// Names a device across homes.
struct DeviceAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

/// What an invoker dropped or could not do.
public struct InvokerCounters: Hashable, Sendable {
    /// Acks of another device than the one the command is for.
    public internal(set) var foreignAcks = 0
    /// Acks for commands that the ledger does not have.
    public internal(set) var unknownAcks = 0
    /// Changes that the ledger did not take at once.
    public internal(set) var ledgerFailures = 0
    /// Anomalies beyond those that were noted.
    public internal(set) var unnotedAnomalies = 0

    public init() {}
}
