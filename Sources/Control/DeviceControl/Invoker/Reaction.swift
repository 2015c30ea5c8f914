internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// An event for a command.
struct EventDelivery {
    let event: LifecycleEvent
    let command: CommandID

    init(_ event: LifecycleEvent, to command: CommandID) {
        self.event = event
        self.command = command
    }
}

/// What a command makes of the events that wait for it, before anything of it is done.
struct Reaction {
    let command: TrackedCommand
    let events: [LifecycleEvent]
    let before: CommandProgress
    private let placeBefore: QueuePlace
    var actions: [LifecycleAction] = []
    var isToBeRecorded = false
    /// Whether something belongs to the command's history that changes no progress.
    var hasNotes = false
    var evidence: [CommandEvidence] = []

    /// Lets a command handle the events that wait for it.
    /// - Returns: `nil` where none did.
    init?(of command: TrackedCommand, at moment: () -> Moment) {
        guard !command.events.isEmpty else { return nil }
        self.command = command
        events = command.events
        before = command.lifecycle.progress
        placeBefore = command.lifecycle.place
        // Not emptied in place: the array would keep its room.
        command.events = []
        for event in events { handle(event, at: moment()) }
    }

    /// Whether the command waits for its turn since these events.
    var getsInLine: Bool { placeBefore != .ready && command.lifecycle.place == .ready }

    private mutating func handle(_ event: LifecycleEvent, at now: Moment) {
        let before = command.lifecycle.progress
        let actions = command.lifecycle.handle(event, at: now)
        self.actions += actions
        let log = command.lifecycle.log(of: event, since: before, at: now)
        if case .withdrawn = event {
            // The ledger has it already.
            if command.lifecycle.progress != before {
                command.note(recorded: command.lifecycle.progress.step)
            }
        } else if command.lifecycle.progress != before {
            command.keep(log)
            isToBeRecorded = true
        } else if event == .wake, command.isUnrecorded {
            isToBeRecorded = true
        } else if !actions.contains(where: \.isReport) {
            note(event, log)
        }
    }

    /// Keeps what changes no progress but belongs to the command's history.
    private mutating func note(_ event: LifecycleEvent, _ log: [LedgerEvent]) {
        switch event {
        case .evidence(let evidence):
            // A repetition says nothing new.
            if !evidence.isReplay { self.evidence.append(evidence) }
        case .sendEnded, .answer:
            command.keep(log)
            hasNotes = true
        case .enqueued, .adopted, .reach, .overruled, .withdrawn, .settings, .applied,
            .boot, .state, .wake:
            break
        }
    }
}

extension LifecycleAction {
    fileprivate var isReport: Bool { if case .report = self { true } else { false } }
}
