import DeviceDomain
import DeviceMessages

// Rules 1 to 5 of PROTOCOL section 3, in their order.
extension SimulatedDevice {
    /// Handles a message on a command topic.
    mutating func take(_ arrival: ArrivedCommand) {
        guard !arrival.payload.isEmpty else { return }
        guard !arrival.isRetained else { return output.count(.retainedCommand) }
        switch CommandMessage.read(arrival.payload) {
        case .unreadable: output.count(.unreadableCommand)
        case .refused(let refusal):
            let key = CommandKey(controller: refusal.controller, id: refusal.id)
            output.answerUnrecorded(key, .rejected(refusal.code, refusal.message))
        case .command(let message):
            if timetable.takeEviction(at: now.monotonic) { output.evictExpiredRecords() }
            let command = PendingCommand(message: message, arrival: arrival)
            follow(CommandRules(of: self).ruling(on: command), on: command)
        }
    }

    private mutating func follow(_ ruling: CommandRuling, on command: PendingCommand) {
        switch ruling {
        case .repeated(let entry): output.repeatAnswer(of: entry)
        case .answered(let verdict): output.answerUnrecorded(command.key, verdict)
        case .dropped(let counter): output.count(counter)
        case .ended(let verdict): output.enter(command, ending: verdict)
        case .carriedOut(let specification): carryOut(command, specification)
        }
    }
}
