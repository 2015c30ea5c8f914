internal import DeviceMessages

/// A command that the invoker follows, and the work on it that is under way.
struct TrackedCommand {
    var lifecycle: CommandLifecycle
    /// The conversation that it travels by; `nil` if its channel is not set up.
    let conversation: ConversationID?
    /// As the ledger has it; `nil` until it is accepted.
    var record: CommandRecord?
    /// Events that wait for their turn: one is handled at a time, its actions included.
    var events: [LifecycleEvent] = []
    var isBusy = false
    /// Whether its acceptance is done with; until then no event of it is handled.
    var isAccepted = true
    /// Callers that wait until no event is left.
    var quiet: [CheckedContinuation<Void, Never>] = []
    /// What the ledger's log lacks.
    var unwritten: [LedgerEvent] = []
    /// Why the ledger did not take the last change; `nil` where it did.
    var ledgerFailure: LedgerError?
    /// Whether it is among the settled commands that are remembered.
    var isRemembered = false
    /// The earliest wake that is under way.
    var armed: Duration?

    /// How much of the log is kept while the ledger fails.
    static let keptEvents = 100

    init(
        lifecycle: CommandLifecycle, conversation: ConversationID?, record: CommandRecord? = nil
    ) {
        self.lifecycle = lifecycle
        self.conversation = conversation
        self.record = record
    }

    /// Whether the ledger lacks a change.
    var isUnrecorded: Bool { record.map { $0.progress != lifecycle.progress } ?? false }

    /// Why the ledger lacks a change; `nil` where it has everything.
    var unrecordedReason: String? { isUnrecorded ? ledgerFailure?.description : nil }

    /// Whether a state of the device may still tell something new.
    var awaitsState: Bool {
        !lifecycle.isObserved && (!lifecycle.state.isSettled || lifecycle.state == .succeeded)
    }

    /// The command as it stands, whether or not the ledger took the last change.
    var current: CommandRecord? {
        var copy = record
        copy?.progress = lifecycle.progress
        return copy
    }

    mutating func keep(_ events: [LedgerEvent]) {
        unwritten += events.prefix(max(0, Self.keptEvents - unwritten.count))
    }
}
