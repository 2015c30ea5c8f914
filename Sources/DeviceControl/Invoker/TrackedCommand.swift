internal import DeviceMessages

/// A command that the invoker follows.
struct TrackedCommand {
    var lifecycle: CommandLifecycle
    /// As the ledger has it; `nil` until it is accepted.
    var record: CommandRecord?
    /// Events that wait for their turn: one is handled at a time, its actions included.
    var events: [LifecycleEvent] = []
    var isBusy = false
    /// Callers that wait until no event is left.
    var quiet: [CheckedContinuation<Void, Never>] = []
    /// Callers that wait for the command.
    var slots: [WaitSlot] = []
    /// Whether it is among the settled commands that are remembered.
    var isRemembered = false
    /// The earliest wake that is under way.
    var armed: Duration?

    /// Whether the ledger lacks a change.
    var isUnrecorded: Bool { record.map { $0.progress != lifecycle.progress } ?? false }

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
}
