internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A command that the invoker follows, and the work on it that is under way.
final class TrackedCommand {
    var lifecycle: CommandLifecycle
    /// The lane that it travels by; `nil` if its channel is not set up.
    unowned let lane: DeviceLane?
    /// What the ledger has added and has of it; `nil` until it is accepted.
    private var acceptance: Acceptance?
    /// Events that wait until the actions of the ones before them are done; then they are handled together.
    var events: [LifecycleEvent] = []
    private var activity = Activity.idle
    /// Callers that wait until no event is left.
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// What the ledger's log lacks.
    private(set) var unwritten: [LedgerEvent] = []
    /// Why the ledger did not take the last change; `nil` where it did.
    var ledgerFailure: LedgerError?
    /// The earliest wake that is under way.
    var armed: Duration?

    /// How much of the log is kept while the ledger fails.
    static let keptEvents = 100

    /// What it is about.
    private enum Activity {
        /// The ledger takes it in. Until that is done with no event of it is handled.
        case entering
        /// No event waits.
        case idle
        /// Events are handled.
        case handling
    }

    /// A command of the ledger.
    init(lifecycle: CommandLifecycle, lane: DeviceLane?, record: CommandRecord) {
        self.lifecycle = lifecycle
        self.lane = lane
        take(record)
    }

    /// A command that the ledger is about to take in.
    init(entering lifecycle: CommandLifecycle, lane: DeviceLane?) {
        self.lifecycle = lifecycle
        self.lane = lane
        activity = .entering
    }

    /// Names the command.
    var id: CommandID { lifecycle.intent.id }

    /// Its part of a record that the lifecycle does not have.
    private struct Acceptance {
        let channel: ChannelID
        let sequence: Int
        let payload: [UInt8]
        var step: Int
    }

    /// Takes the command as the ledger has it.
    func take(_ record: CommandRecord) {
        let prepared = record.prepared
        acceptance = Acceptance(
            channel: prepared.channel, sequence: prepared.sequence, payload: prepared.payload,
            step: record.progress.step)
    }

    /// Its place among the commands to the device; `nil` until it is accepted.
    var sequence: Int? { acceptance?.sequence }

    /// The command as it is sent; `nil` until it is accepted.
    var prepared: PreparedCommand? {
        acceptance.map {
            PreparedCommand(
                intent: lifecycle.intent, channel: $0.channel, sequence: $0.sequence,
                payload: $0.payload)
        }
    }

    /// Where the ledger has it, if it does nothing but wait for a way to its device with nothing that the
    /// ledger lacks; `nil` else.
    var stored: StoredCommands.Entry? {
        guard let acceptance, acceptance.step == lifecycle.progress.step, !isBusy,
            events.isEmpty, unwritten.isEmpty, ledgerFailure == nil, lifecycle.onlyWaits
        else { return nil }
        return StoredCommands.Entry(
            id: id, sequence: acceptance.sequence, expiry: lifecycle.terms.expiry)
    }

    // MARK: Activity

    /// Whether its events are being handled, or will be once the ledger has it.
    var isBusy: Bool { activity != .idle }

    /// Whether the ledger has it, and what follows from that is done.
    var isAccepted: Bool { activity != .entering }

    /// The ledger has it, and what follows from that is done: its events may be handled.
    func endEntering() { activity = .idle }

    /// - Returns: whether the caller must handle its events; otherwise somebody does, or will.
    func beginHandling() -> Bool {
        guard activity == .idle else { return false }
        activity = .handling
        return true
    }

    /// Lets a caller wait until no event is left.
    func add(_ waiter: CheckedContinuation<Void, Never>) { idleWaiters.append(waiter) }

    /// No event is left.
    func becomeIdle() {
        activity = .idle
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    // MARK: The ledger

    /// What the ledger lacks; `nil` until the command is accepted.
    var change: CommandChange? {
        acceptance.map {
            CommandChange(
                of: id, after: $0.step, to: lifecycle.progress, because: unwritten)
        }
    }

    /// The ledger has the progress of this step.
    func note(recorded step: Int) { acceptance?.step = step }

    /// The log has the first so many of what it lacked.
    func note(written count: Int) {
        // Meanwhile the command may have been forgotten, and followed again from the ledger.
        unwritten.removeFirst(min(count, unwritten.count))
    }

    /// Whether the ledger lacks a change.
    var isUnrecorded: Bool { acceptance.map { $0.step != lifecycle.progress.step } ?? false }

    /// Why the ledger lacks a change; `nil` where it has everything.
    var unrecordedReason: String? { isUnrecorded ? ledgerFailure?.description : nil }

    /// Whether a state of the device may still tell something new.
    var awaitsState: Bool {
        lifecycle.awaitsEffect && (!lifecycle.state.isSettled || lifecycle.state == .succeeded)
    }

    /// The command as it stands, whether or not the ledger took the last change; `nil` as for ``prepared``.
    var current: CommandRecord? {
        prepared.map { CommandRecord(prepared: $0, progress: lifecycle.progress) }
    }

    func keep(_ events: [LedgerEvent]) {
        unwritten += events.prefix(max(0, Self.keptEvents - unwritten.count))
    }
}
