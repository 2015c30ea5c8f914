import DeviceDomain
import DeviceMessages

// Acks: how they are numbered, recorded and published.
extension SimulatedDevice {
    /// An ack of this device at this moment.
    func ack(
        _ id: CommandID, n: Int, _ verdict: Verdict, executions: Int, isFinal: Bool? = nil
    ) -> AckMessage {
        AckMessage(
            id: id, device: identity.device, boot: boot, n: n, stage: verdict.stage,
            isFinal: isFinal ?? verdict.stage.isFinal, code: verdict.code,
            message: verdict.message, percent: verdict.percent, result: verdict.result,
            revision: lastState.revision, executions: executions, isReplay: false, at: now.wire)
    }

    /// Answers without an entry: the verdict depends on the bytes alone, or the first result of
    /// the id must stay unharmed.
    mutating func answerUnrecorded(_ key: CommandKey, _ verdict: Verdict) {
        publish(.ack(ack(key.id, n: 1, verdict, executions: 0), key.controller))
    }

    /// Makes the entry of a command that ends at once and alone.
    mutating func enter(_ command: PendingCommand, ending verdict: Verdict) {
        guard let ack = enter(command, verdict) else { return }
        publish(
            .ack(ack, command.key.controller), confirming: Confirmation(command: command.key))
    }

    /// Makes the entry of a command that is taken up, and says so.
    /// - Returns: whether an entry could be made.
    mutating func accept(_ command: PendingCommand, _ sort: CommandSort) -> Bool {
        guard let ack = enter(command, acceptance(of: command, sort)) else { return false }
        publish(.ack(ack, command.key.controller))
        return true
    }

    /// An action that has to wait says behind what (PROTOCOL section 3).
    private func acceptance(of command: PendingCommand, _ sort: CommandSort) -> Verdict {
        guard sort == .action, behaviour.admission(of: command.message.name) == .queued,
            let obstacle = lane.obstacle
        else { return .accepted }
        var verdict = Verdict.accepted
        verdict.message = "waits behind \(obstacle)"
        return verdict
    }

    /// Rejects a command with an entry.
    mutating func reject(_ command: PendingCommand, _ refusal: BehaviourRefusal) {
        enter(command, ending: .rejected(refusal.code, refusal.message))
    }

    private mutating func enter(_ command: PendingCommand, _ verdict: Verdict) -> AckMessage? {
        let isUrgent = command.arrival.lane == .urgent || isDeclaredUrgent(command)
        guard journal.hasRoom(for: command.key.controller, isUrgent: isUrgent) else {
            answerFull(command)
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

    private func isDeclaredUrgent(_ command: PendingCommand) -> Bool {
        profile.specification(of: command.message.name)?.lane == .urgent
    }

    private mutating func answerFull(_ command: PendingCommand) {
        actions.append(.count(.fullRecord))
        let full = Verdict.rejected(.throttled, "the record of commands is full; send it again")
        let ack = ack(command.key.id, n: 0, full, executions: 0, isFinal: false)
        publish(.ack(ack, command.key.controller))
    }

    /// Ends commands in one transaction with the state that contains their effect, then publishes
    /// the state and the acks in their order.
    mutating func finish(_ endings: [(CommandKey, Verdict)], with state: RecordedState?) {
        let finals = endings.compactMap { key, verdict -> FinishedCommand? in
            guard let entry = journal.entries[key], !entry.isFinished else { return nil }
            let ack = ack(key.id, n: entry.ack.n + 1, verdict, executions: entry.executions)
            return FinishedCommand(key, ack)
        }
        record(.finished(finals, state))
        if state != nil { publishState() }
        for final in finals { publishFinal(final) }
    }

    /// Publishes a final ack that the broker has to confirm.
    mutating func publishFinal(_ final: FinishedCommand) {
        publish(
            .ack(final.ack, final.command.controller),
            confirming: Confirmation(command: final.command))
    }

    /// Sends an ack of a command that goes on.
    mutating func progress(_ key: CommandKey, percent: Double?, message: String = "") {
        guard let entry = journal.entries[key], !entry.isFinished else { return }
        let verdict = Verdict(stage: .progress, code: .ok, message: message, percent: percent)
        let ack = ack(key.id, n: entry.ack.n + 1, verdict, executions: entry.executions)
        record(.progressed(key, ack))
        publish(.ack(ack, key.controller))
    }
}
