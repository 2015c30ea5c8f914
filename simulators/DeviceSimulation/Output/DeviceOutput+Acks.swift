import DeviceDomain
import DeviceMessages

// Acks: how they are numbered, recorded and published.
extension DeviceOutput {
    /// An ack of this device at this moment.
    private func ack(
        _ id: CommandID, n: Int, _ verdict: Verdict, executions: Int, isFinal: Bool? = nil
    ) -> AckMessage {
        reporter.ack(
            id, n: n, verdict, executions: executions, isFinal: isFinal ?? verdict.stage.isFinal,
            at: now.wire)
    }

    /// Answers without an entry: the verdict depends on the bytes alone, or the first result of
    /// the id must stay unharmed.
    mutating func answerUnrecorded(_ key: CommandKey, _ verdict: Verdict) {
        publish(.ack(ack(key.id, n: 1, verdict, executions: 0), key.controller))
    }

    /// Answers the same bytes again, from the record.
    mutating func repeatAnswer(of entry: JournalEntry) {
        count(.duplicateCommand)
        publish(.ack(entry.ack.replayed, entry.command.controller))
    }

    /// Makes the entry of a command that ends at once and alone.
    mutating func enter(_ command: PendingCommand, ending verdict: Verdict) {
        guard let ack = enter(command, verdict) else { return }
        publishFinal(FinishedCommand(command.key, ack))
    }

    /// Makes the entry of a command that is taken up, and says so.
    /// - Returns: whether an entry could be made.
    mutating func accept(_ command: PendingCommand, saying verdict: Verdict) -> Bool {
        guard let ack = enter(command, verdict) else { return false }
        publish(.ack(ack, command.key.controller))
        return true
    }

    private mutating func enter(_ command: PendingCommand, _ verdict: Verdict) -> AckMessage? {
        let declared = reporter.profile.specification(of: command.message.name)
        let isUrgent = command.arrival.lane == .urgent || declared?.lane == .urgent
        guard journal.hasRoom(for: command.key.controller, isUrgent: isUrgent) else {
            answerFull(command.key)
            return nil
        }
        let ack = ack(command.key.id, n: 1, verdict, executions: 0)
        let expiry = RecordLimits.expiry(
            of: command.message, received: now.wire, sessionExpiry: sessionExpiry)
        record(
            .entered(
                JournalEntry(
                    command: command.key, payload: command.arrival.payload, isUrgent: isUrgent,
                    ack: ack, expiry: expiry)))
        return ack
    }

    private mutating func answerFull(_ key: CommandKey) {
        count(.fullRecord)
        let full = Verdict.rejected(.throttled, "the record of commands is full; send it again")
        let ack = ack(key.id, n: 0, full, executions: 0, isFinal: false)
        publish(.ack(ack, key.controller))
    }

    /// Records that the effect of a command starts.
    mutating func start(_ key: CommandKey) {
        record(.started(key, executions: (journal.entries[key]?.executions ?? 0) + 1))
    }

    /// Ends commands in one transaction with the state that contains their effect, then publishes
    /// the state and the acks in their order.
    mutating func finish(_ endings: [CommandEnding], with state: RecordedState? = nil) {
        let finals = endings.compactMap { ending -> FinishedCommand? in
            let key = ending.command
            guard let entry = journal.entries[key], !entry.isFinished else { return nil }
            let n = entry.ack.n + 1
            return FinishedCommand(
                key, ack(key.id, n: n, ending.verdict, executions: entry.executions))
        }
        record(.finished(finals, state))
        if state != nil { publishState() }
        for final in finals { publishFinal(final) }
    }

    /// Sends an ack of a command that goes on.
    mutating func progress(_ key: CommandKey, percent: Double?, message: String = "") {
        guard let entry = journal.entries[key], !entry.isFinished else { return }
        let verdict = Verdict(stage: .progress, code: .ok, message: message, percent: percent)
        let ack = ack(key.id, n: entry.ack.n + 1, verdict, executions: entry.executions)
        record(.progressed(key, ack))
        publish(.ack(ack, key.controller))
    }

    /// Takes note that the broker has a final ack.
    mutating func confirm(_ confirmation: Confirmation) {
        guard let entry = journal.entries[confirmation.command], entry.isFinished,
            !entry.isConfirmed
        else { return }
        record(.confirmed(confirmation.command))
    }

    /// Publishes a final ack that the broker has to confirm.
    private mutating func publishFinal(_ final: FinishedCommand) {
        publish(
            .ack(final.ack, final.command.controller),
            confirming: Confirmation(command: final.command))
    }

    /// Publishes the final acks again that the broker has not confirmed.
    mutating func publishUnconfirmedFinals() {
        for entry in journal.unconfirmedFinals {
            publishFinal(FinishedCommand(entry.command, entry.ack))
        }
    }

    /// Sends what nobody has heard: final acks as after a reconnect, and the latest ack of commands
    /// that go on. These make up for acks that would have left late.
    mutating func sendWithheldAcks() {
        dropDelayedAcks()
        for entry in journal.unfinished {
            publish(.ack(entry.ack.replayed, entry.command.controller))
        }
        publishUnconfirmedFinals()
    }

    /// Evicts what has reached the end of its life.
    mutating func evictExpiredRecords() {
        let over = journal.evictable(at: now.wire)
        if !over.isEmpty { record(.evicted(over)) }
        for (controller, ids) in journal.releasable(at: now.wire) {
            record(.released(controller, ids))
        }
    }
}

/// How a command ends.
struct CommandEnding: Hashable, Sendable {
    /// The command.
    let command: CommandKey
    /// What its final ack says.
    let verdict: Verdict

    init(_ command: CommandKey, _ verdict: Verdict) {
        self.command = command
        self.verdict = verdict
    }
}

extension DeviceJournalState {
    /// Entries whose final ack the broker has not confirmed, the oldest ack first.
    fileprivate var unconfirmedFinals: [JournalEntry] {
        entries.values.filter { $0.isFinished && !$0.isConfirmed }
            .sorted { ($0.ack.at, $0.command) < ($1.ack.at, $1.command) }
    }

    /// Entries of commands that have not ended, in the order of their commands.
    var unfinished: [JournalEntry] {
        entries.values.filter { !$0.isFinished }.sorted { $0.command < $1.command }
    }
}
