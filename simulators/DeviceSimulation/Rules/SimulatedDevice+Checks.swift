import DeviceDomain
import DeviceMessages

// Rule 5 of PROTOCOL section 3: the checks, in their order.
extension SimulatedDevice {
    /// Checks a command and executes it if no check fails.
    mutating func check(_ command: PendingCommand) {
        let checks = CommandChecks(of: self)
        if let refusal = checks.envelopeRefusal(of: command) { return reject(command, refusal) }
        guard let specification = profile.specification(of: command.message.name) else {
            return reject(command, checks.unknownCommand(command))
        }
        if let refusal = checks.contentRefusal(of: command, specification) {
            return reject(command, refusal)
        }
        guard !command.message.dryRun else { return enter(command, ending: .succeeded()) }
        guard !journal.hasApplied(later: command.message, specification) else {
            let overtaken = "a later \(command.message.name.rawValue) was applied already"
            return enter(
                command,
                ending: Verdict(stage: .superseded, code: .superseded, message: overtaken))
        }
        carryOut(command, specification)
    }
}

extension DeviceJournalState {
    /// Whether a later value of a setting of the same controller was applied already.
    fileprivate func hasApplied(
        later message: CommandMessage, _ specification: CommandSpecification
    ) -> Bool {
        guard specification.sort == .setting else { return false }
        let key = SequenceKey(setting: specification.name, controller: message.controller)
        return message.sequence < sequences[key, default: 0]
    }
}
