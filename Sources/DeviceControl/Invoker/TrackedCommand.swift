internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A command that the invoker follows, and the work on it that is under way.
///
/// It takes about a kilobyte. A function that copies one is not inlined where the caller may be the task that
/// listens to a device: the frame of an asynchronous function stays for as long as its task lives, and there
/// may be thousands of these. Inlined, a thousand devices take about 8 MB more.
struct TrackedCommand {
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

    /// A command that was at rest. The ledger alone has its bytes.
    init(
        resting lifecycle: CommandLifecycle, conversation: ConversationID, channel: ChannelID,
        sequence: Int
    ) {
        self.lifecycle = lifecycle
        self.conversation = conversation
        acceptance = Acceptance(
            channel: channel, sequence: sequence, payload: nil, step: lifecycle.progress.step)
        armed = lifecycle.nextWake
    }

    /// Its part of a record that the lifecycle does not have: 100,000 commands may wait for devices that are
    /// away, so nothing is kept twice.
    private struct Acceptance {
        let channel: ChannelID
        let sequence: Int
        /// `nil` where the ledger alone has them.
        var payload: [UInt8]?
        var step: Int
    }

    /// Takes the command as the ledger has it.
    mutating func take(_ record: CommandRecord) {
        let prepared = record.prepared
        acceptance = Acceptance(
            channel: prepared.channel, sequence: prepared.sequence,
            // A copy, without the room that an array has left from growing.
            payload: prepared.payload.withUnsafeBufferPointer(Array.init),
            step: record.progress.step)
    }

    /// Takes the bytes that the ledger has.
    mutating func take(payload: [UInt8]) { acceptance?.payload = payload }

    /// The channel that made its bytes; `nil` until it is accepted.
    var channel: ChannelID? { acceptance?.channel }

    /// Its place among the commands to the device; `nil` until it is accepted.
    var sequence: Int? { acceptance?.sequence }

    /// The command as it is sent; `nil` until it is accepted, and where the ledger alone has its bytes.
    var prepared: PreparedCommand? {
        guard let acceptance, let payload = acceptance.payload else { return nil }
        return PreparedCommand(
            intent: lifecycle.intent, channel: acceptance.channel, sequence: acceptance.sequence,
            payload: payload)
    }

    /// Whether the ledger alone has its bytes.
    var lacksPayload: Bool { acceptance.map { $0.payload == nil } ?? false }

    /// Whether it does nothing but wait for a way to its device, with nothing that the ledger lacks.
    var isAtRest: Bool {
        !isBusy && isAccepted && events.isEmpty && quiet.isEmpty && unwritten.isEmpty
            && ledgerFailure == nil && acceptance?.step == lifecycle.progress.step
            && lifecycle.phase == .queued(retryAt: nil) && armed == lifecycle.nextWake
    }

    /// The step of its progress that the ledger has; `nil` until it is accepted.
    var recordedStep: Int? { acceptance?.step }

    /// What the ledger lacks; `nil` until the command is accepted.
    var change: CommandChange? {
        acceptance.map {
            CommandChange(
                of: lifecycle.intent.id, after: $0.step, to: lifecycle.progress, because: unwritten)
        }
    }

    /// The ledger has the progress of this step.
    mutating func note(recorded step: Int) { acceptance?.step = step }

    /// The log has the first so many of what it lacked.
    mutating func note(written count: Int) {
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

    mutating func keep(_ events: [LedgerEvent]) {
        unwritten += events.prefix(max(0, Self.keptEvents - unwritten.count))
    }
}
