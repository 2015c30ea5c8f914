internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands that the process follows. Each handles the events that wait for it together: what it makes of
/// them is written into the ledger, then done.
///
/// It belongs to one ``CommandInvoker``, as all that it refers to.
final class FollowedCommands {
    /// How many commands' changes are written together, so that a change of another command does not wait
    /// for those of a device with a long queue.
    static let largestBatch = 512
    /// How many events may wait for a command before a device that says more of it has to wait.
    static let waitingEvents = 16
    /// How long after a failure of the ledger a change is written again.
    static let ledgerRetry = Duration.seconds(1)

    let writer: LedgerWriter
    let clock: any CommandClock
    let work: WorkQueue
    let withdrawals: WithdrawalFollower
    let watchers: ChangeWatchers
    var waits = CommandWaits()
    /// Of ids and of the scatter of resends.
    var generator: any RandomNumberGenerator & Sendable
    private var commands: [CommandID: TrackedCommand] = [:]
    private var wakes = WakeList<Sleeper>()
    private var settled = SettledCommands()

    init(
        _ writer: LedgerWriter, clock: any CommandClock, work: WorkQueue, watchers: ChangeWatchers,
        generator: any RandomNumberGenerator & Sendable
    ) {
        self.writer = writer
        self.clock = clock
        self.work = work
        self.watchers = watchers
        self.generator = generator
        withdrawals = WithdrawalFollower(writer)
    }

    /// A command; `nil` if it is not followed.
    subscript(id: CommandID) -> TrackedCommand? { commands[id] }

    /// Whether a command is followed that no conversation leads to its device.
    var hasWaiting: Bool {
        commands.values.contains { $0.lane == nil && $0.lifecycle.place == .waiting }
    }

    /// Follows a command.
    func insert(_ command: TrackedCommand) {
        commands[command.id] = command
        command.lane?.commands[command.id] = command
    }

    /// Takes a command of the ledger into care.
    /// - Parameter expiry: when its time to start ends, where that is known by the monotonic clock.
    func follow(_ record: CommandRecord, in lane: DeviceLane?, expiry: Duration? = nil) {
        guard commands[record.id] == nil else { return }
        let lifecycle = CommandLifecycle(
            record.intent, traits: lane?.conversation.traits ?? [],
            progress: record.progress, seenRevision: lane?.conversation.revision, expiry: expiry,
            at: clock.now, seed: generator.next())
        insert(TrackedCommand(lifecycle: lifecycle, lane: lane, record: record))
    }

    /// Follows a command no more, and leaves its callers alone.
    func drop(_ command: TrackedCommand) {
        commands[command.id] = nil
        command.lane?.commands[command.id] = nil
    }

    /// Follows a command no more.
    func forget(_ id: CommandID) {
        guard let command = commands[id] else { return }
        drop(command)
        command.becomeIdle()
        waits.end(id)
        watchers.end(id)
    }

    // MARK: Events

    /// Hands an event to a command and returns when its actions are done.
    func deliver(_ event: LifecycleEvent, to id: CommandID) async {
        await deliver([EventDelivery(event, to: id)])
    }

    /// Hands events to commands and returns when their actions are done. What they change is written into
    /// the ledger together.
    func deliver(_ deliveries: [EventDelivery]) async {
        var rest = deliveries[...]
        while !rest.isEmpty {
            let (ours, others) = put(rest.prefix(Self.largestBatch))
            await handleEvents(of: ours)
            for command in others { await waitUntilIdle(command) }
            rest = rest.dropFirst(Self.largestBatch)
        }
    }

    /// Hands an event to a command that handles it soon, together with what comes in the meantime: what a
    /// device says of a short command, and the receipt of the link, often lie in one packet.
    /// - Returns: at once, unless so many events wait for the command already that it must catch up.
    func enqueue(_ event: LifecycleEvent, to id: CommandID) async {
        guard case .running = work.operation else { return await deliver(event, to: id) }
        for command in put([EventDelivery(event, to: id)]).ours {
            work.enqueue(.handleEvents(of: command.id))
        }
        guard let command = commands[id], command.events.count >= Self.waitingEvents else { return }
        await waitUntilIdle(command)
    }

    /// Lets a command handle the events that wait for it, until none do.
    func handleEvents(of id: CommandID) async {
        if let command = commands[id] { await handleEvents(of: [command]) }
    }

    private func handleEvents(of commands: [TrackedCommand]) async {
        var commands = commands
        while !commands.isEmpty {
            let reactions = commands.compactMap(react)
            await perform(reactions)
            commands = reactions.map(\.command)
        }
    }

    /// Waits until a command has handled its events.
    func waitUntilIdle(_ command: TrackedCommand) async {
        guard command.isBusy else { return }
        await withCheckedContinuation { command.add($0) }
    }

    /// Puts events before their commands.
    /// - Returns: the commands that handle theirs now, and those that are handling others.
    private func put(_ deliveries: ArraySlice<EventDelivery>) -> (
        ours: [TrackedCommand], others: [TrackedCommand]
    ) {
        var ours: [TrackedCommand] = []
        var others: [TrackedCommand] = []
        for delivery in deliveries {
            guard let command = commands[delivery.command] else { continue }
            command.events.append(delivery.event)
            if command.beginHandling() { ours.append(command) } else { others.append(command) }
        }
        return (ours, others)
    }

    private func react(_ command: TrackedCommand) -> Reaction? {
        if let reaction = Reaction(of: command, at: { clock.now }) { return reaction }
        finishEvents(of: command)
        return nil
    }

    private func finishEvents(of command: TrackedCommand) {
        command.becomeIdle()
        if command.lifecycle.progress.isSettled, let oldest = settled.add(command.id),
            commands[oldest]?.lifecycle.progress.isSettled == true
        {
            forget(oldest)
        }
        rest(command.id)
    }

    // MARK: Actions

    private func perform(_ reactions: [Reaction]) async {
        await writer.writeDown(reactions)
        let stopped = await writer.record(reactions)
        for reaction in reactions {
            let command = reaction.command
            if !stopped.contains(command.id) { await perform(reaction.actions, for: command) }
            // What the ledger did not take must not leave; another process may have been faster.
            if !stopped.contains(command.id) || command.lifecycle.place != .ready {
                command.lane?.updateQueuePlace(of: command)
            }
            conclude(reaction)
        }
    }

    private func conclude(_ reaction: Reaction) {
        let command = reaction.command
        waits.endReached(by: command.lifecycle, of: command.id)
        if command.lifecycle.progress != reaction.before, let record = command.current {
            watchers.tell(record)
        }
    }

    /// Does what a command wants, once the ledger has its progress.
    func perform(_ actions: [LifecycleAction], for command: TrackedCommand) async {
        for action in actions {
            switch action {
            case .readSettings: command.lane?.readSettings(for: command.id)
            case .ask: command.lane?.ask(about: command.id)
            case .report(let anomaly): await writer.note(anomaly)
            }
        }
    }

    // MARK: Waking

    /// Sees to it that a command that is idle goes on in time: it is left to the ledger if it does nothing
    /// but wait for a way to its device and nobody waits for it, else it is woken at its next deadline.
    func rest(_ id: CommandID) {
        guard let command = commands[id], !waits.hold(id) else { return }
        if !waits.contain(id), !watchers.contain(id), command.lane?.store(command) == true {
            return
        }
        arm(command)
    }

    /// Sees to it that the command is woken at its next deadline; one wake at a time is enough.
    private func arm(_ command: TrackedCommand) {
        let retry = command.isUnrecorded ? clock.now.elapsed + Self.ledgerRetry : nil
        guard let due = [command.lifecycle.nextWake, retry].compactMap(\.self).min() else {
            command.armed = nil
            return
        }
        if let armed = command.armed, armed <= due { return }
        command.armed = due
        wake(.command(command.id), at: due)
    }

    /// Wakes a sleeper at a time.
    func wake(_ sleeper: Sleeper, at due: Duration) {
        if wakes.add(sleeper, at: due) { work.enqueue(.sleep(until: due)) }
    }

    /// Sleeps, and wakes what is due then.
    func sleep(until due: Duration) async {
        await clock.sleep(until: due)
        guard !Task.isCancelled else { return }
        let (wakes, next) = wakes.sleepEnded(at: max(clock.now.elapsed, due), where: isWanted)
        // A command may be there twice.
        for wake in wakes where isWanted(wake) {
            if case .command(let id) = wake.sleeper { commands[id]?.armed = nil }
            work.enqueue(.wake(wake.sleeper))
        }
        if let next { work.enqueue(.sleep(until: next)) }
    }

    private func isWanted(_ wake: WakeList<Sleeper>.Wake) -> Bool {
        switch wake.sleeper {
        case .command(let id): commands[id]?.armed == wake.due
        case .stored: true
        }
    }

    /// Sees to it that other processes' withdrawals are noticed while something waits.
    func followWithdrawals() {
        if withdrawals.begin() { work.enqueue(.followWithdrawals) }
    }
}
