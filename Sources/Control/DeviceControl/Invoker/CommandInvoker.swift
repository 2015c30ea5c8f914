public import Connectivity
public import DeviceDomain
internal import DeviceMessages

/// Takes commands, writes them into the ledger, sends them, and follows each to its end.
///
/// It works while ``run()`` runs. What it accepted is in the ledger; when the process ends, the
/// next process of the same ledger and controller goes on through ``resume(in:finding:)``.
///
/// It has a lane for each device, which knows what of its commands is to be done next, the commands that are
/// followed, and a queue of work: ``run()`` does that.
public actor CommandInvoker {
    /// For how many devices commands of a dead process are taken over at once: enough to share the commits
    /// of the ledger, and few enough that the first ones are asked while the last ones are taken over.
    static let adoptionsAtOnce = 64
    /// How many commands of a dead process are read at a time: a few megabytes, and enough for many devices to be
    /// asked side by side.
    static let adoptedPage = 1_024
    /// How many commands may wait for one device: as many as its record holds (PROTOCOL section 3).
    static let longestQueue = 10_000

    /// On whose behalf commands are sent.
    public let controller: ControllerID
    let ledger: any CommandLedger
    let factory: CommunicationStrategyFactory
    let clock: any CommandClock
    let followed: FollowedCommands
    /// Commands that other processes send.
    let others: CommandsOfOthers
    /// Commands of dead processes that this one has taken over and not read yet.
    var adopted: [CommandID] = []
    var lanes: [ConversationID: DeviceLane] = [:]
    var traffic: [ChannelID: ChannelTraffic] = [:]
    let work: WorkQueue
    let watchers: ChangeWatchers
    let workAvailable: StreamSource<Void>
    private let workSignals: BoundedStream<Void>

    /// What was dropped or could not be done.
    public var counters: InvokerCounters { followed.writer.counters }

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
        (workSignals, workAvailable) = BoundedStream.make(.dropOldest(limit: 1))
        work = WorkQueue(telling: workAvailable)
        watchers = ChangeWatchers()
        followed = FollowedCommands(
            LedgerWriter(ledger, clock: clock), clock: clock, work: work, watchers: watchers,
            generator: generator)
        others = CommandsOfOthers(followed)
    }

    /// Does the invoker's work until the task is cancelled: conversations, sends, waits.
    /// To be called once; ``whileRunning(_:)`` calls it itself.
    public func run() async {
        begin()
        // A group searches all its tasks for one that has ended, so the many that last have a group of
        // their own.
        await withDiscardingTaskGroup { listeners in
            await withDiscardingTaskGroup { group in
                for await _ in workSignals {
                    presentNewcomers()
                    while let work = work.next() {
                        if work.isLasting {
                            listeners.addTask { await self.perform(work) }
                        } else {
                            group.addTask { await self.perform(work) }
                        }
                    }
                }
                work.operation = .stopped
                // What a device has said is written down.
                while let work = work.next() {
                    if case .handleEvents = work { group.addTask { await self.perform(work) } }
                }
                group.cancelAll()
            }
            listeners.cancelAll()
        }
        for lane in lanes.values { lane.enter(.ended) }
        followed.waits.endAll()
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
        if case .idle = work.operation { work.operation = .running }
    }

    /// - Throws: `notRunning`; without ``run()`` nothing would ever be sent.
    func requireRunning() throws(ControlError) {
        switch work.operation {
        case .running: return
        case .idle:
            throw ControlError(
                .notRunning, "the invoker does not run; call run() or whileRunning(_:) first")
        case .stopped:
            throw ControlError(.notRunning, "the invoker has stopped; make a new one")
        }
    }

    // MARK: Work

    private func perform(_ work: InvokerWork) async {
        switch work {
        case .converse(let id): await lanes[id]?.converse()
        case .watchLink(let channel): await watchLink(of: channel)
        case .send(let id, let lane, let first): await lanes[id]?.send(first, in: lane)
        case .sleep(let due): await followed.sleep(until: due)
        case .wake(.command(let id)): await followed.deliver(.wake, to: id)
        case .wake(.stored(let id)): await lanes[id]?.wakeStored()
        case .recall(let id): await lanes[id]?.recallNext()
        case .handleEvents(let id): await followed.handleEvents(of: id)
        case .ask(let id): await lanes[id]?.ask()
        case .keepSettings(let id): await lanes[id]?.keepSettings()
        case .present(let id, let key): await present(id, to: key)
        case .followWithdrawals: await lookForWithdrawals()
        case .readOthers: await others.read()
        }
    }

    // MARK: Lanes

    /// The lane to a device over a channel; a new conversation is begun, and one that has ended is begun
    /// again.
    func lane(
        to device: any Device, over channel: any CommunicationChannel, awaitsPresence: Bool = false
    ) -> DeviceLane {
        let id = ConversationID(
            home: device.profile.home, device: device.id, channel: channel.id)
        if let lane = lanes[id] {
            guard lane.conversation.isOver else { return lane }
            lane.conversation.restart(with: device, over: channel)
            work.enqueue(.converse(id))
            return lane
        }
        let lane = DeviceLane(
            id,
            DeviceConversation(with: device, over: channel, awaitsPresence: awaitsPresence),
            over: traffic(over: channel), followed: followed)
        lanes[id] = lane
        work.enqueue(.converse(id))
        return lane
    }

    private func traffic(over channel: any CommunicationChannel) -> ChannelTraffic {
        if let known = traffic[channel.id] { return known }
        let new = ChannelTraffic()
        traffic[channel.id] = new
        work.enqueue(.watchLink(channel))
        return new
    }

    private func watchLink(of channel: any CommunicationChannel) async {
        for await state in channel.linkStates() {
            let link = ChannelLink(state)
            guard let traffic = traffic[channel.id], !traffic.link.isSame(as: link) else {
                continue
            }
            traffic.link = link
            for lane in lanes.values where lane.id.channel == channel.id { await lane.tellReach() }
        }
    }
}
