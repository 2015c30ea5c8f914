import DeviceDomain
import DeviceMessages

// Rules 1 to 4 of PROTOCOL section 3, in their order.
extension SimulatedDevice {
    /// Handles a message on a command topic.
    mutating func take(_ arrival: ArrivedCommand) {
        guard !arrival.payload.isEmpty else { return }
        guard !arrival.isRetained else { return actions.append(.count(.retainedCommand)) }
        switch CommandMessage.read(arrival.payload) {
        case .unreadable: actions.append(.count(.unreadableCommand))
        case .refused(let refusal): answerUnrecorded(refusal)
        case .command(let message):
            applyRules(to: PendingCommand(message: message, arrival: arrival))
        }
    }

    private mutating func answerUnrecorded(_ refusal: CommandRefusalReading) {
        let key = CommandKey(controller: refusal.controller, id: refusal.id)
        answerUnrecorded(key, .rejected(refusal.code, refusal.message))
    }

    private mutating func applyRules(to command: PendingCommand) {
        evictExpiredRecords()
        if let entry = journal.entries[command.key] {
            repeatAnswer(entry, to: command)
        } else if journal.isPromised(command.key) {
            reject(command, BehaviourRefusal(.staleSession, "this id was reported as never come"))
        } else if command.message.expiresAt < now.wire {
            expire(command)
        } else {
            check(command)
        }
    }

    /// Rule 3: the same bytes get the stored ack again, other bytes are another command under a
    /// used id.
    private mutating func repeatAnswer(_ entry: JournalEntry, to command: PendingCommand) {
        guard entry.payload == command.arrival.payload else {
            let reused = Verdict.rejected(.idReused, "the id belongs to a command of other bytes")
            return answerUnrecorded(command.key, reused)
        }
        actions.append(.count(.duplicateCommand))
        publish(.ack(entry.ack.replayed, command.key.controller))
    }

    /// Rule 4: too late to start. A command that may have run before its entry was evicted gets no
    /// new verdict.
    private mutating func expire(_ command: PendingCommand) {
        if let watermark = journal.watermarks[command.key.controller],
            command.key.id <= watermark
        {
            return actions.append(.count(.evictedCommand))
        }
        enter(
            command,
            ending: Verdict(stage: .expired, code: .expired, message: lateness(of: command)))
    }

    private func lateness(of command: PendingCommand) -> String {
        let late = now.wire.since(command.message.expiresAt).wholeMilliseconds
        let amount = late < 10_000 ? "\(late) ms" : "\(late / 1_000) s"
        return "came \(amount) after its expiry by the device's clock"
    }
}
