internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A command that the invoker follows, and the work on it that is under way.
final class TrackedCommand {
    var lifecycle: CommandLifecycle
    /// The conversation that it travels by; `nil` if its channel is not set up.
    let conversation: ConversationID?
    /// What the ledger has added and has of it; `nil` until it is accepted.
    private var acceptance: Acceptance?
    /// Events that wait until the actions of the ones before them are done; then they are handled together.
    var events: [LifecycleEvent] = []
    var isBusy = false
    /// Whether its acceptance is done with; until then no event of it is handled.
    var isAccepted = true
    /// Callers that wait until no event is left.
    var quiet: [CheckedContinuation<Void, Never>] = []
    /// What the ledger's log lacks.
    private(set) var unwritten: [LedgerEvent] = []
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
        if let record { take(record) }
    }

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
        guard let acceptance, acceptance.step == lifecycle.progress.step, !isBusy, isAccepted,
            events.isEmpty, quiet.isEmpty, unwritten.isEmpty, ledgerFailure == nil,
            lifecycle.onlyWaits
        else { return nil }
        return StoredCommands.Entry(
            id: lifecycle.intent.id, sequence: acceptance.sequence, expiry: lifecycle.expiry)
    }

    /// What the ledger lacks; `nil` until the command is accepted.
    var change: CommandChange? {
        acceptance.map {
            CommandChange(
                of: lifecycle.intent.id, after: $0.step, to: lifecycle.progress, because: unwritten)
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
