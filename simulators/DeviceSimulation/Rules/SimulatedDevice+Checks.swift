import DeviceDomain
import DeviceMessages

// Rule 5 of PROTOCOL section 3: the checks, in their order.
extension SimulatedDevice {
    /// Checks a command and executes it if no check fails.
    mutating func check(_ command: PendingCommand) {
        if let refusal = envelopeRefusal(of: command) { return reject(command, refusal) }
        guard let specification = profile.specification(of: command.message.name) else {
            return reject(command, unknownCommand(command))
        }
        if let refusal = contentRefusal(of: command, specification) {
            return reject(command, refusal)
        }
        guard !command.message.dryRun else { return enter(command, ending: .succeeded()) }
        guard !isOvertaken(command, specification) else {
            let overtaken = "a later \(command.message.name.rawValue) was applied already"
            return enter(
                command,
                ending: Verdict(stage: .superseded, code: .superseded, message: overtaken))
        }
        carryOut(command, specification)
    }

    private func envelopeRefusal(of command: PendingCommand) -> BehaviourRefusal? {
        let controller = command.key.controller
        if let topic = command.arrival.responseTopic, topic != .acks(controller) {
            return BehaviourRefusal(
                .badResponseTopic,
                "acks go only to the ack topic of \(identity.device) for \(controller)")
        }
        if let session = command.message.boot, session != boot {
            return BehaviourRefusal(
                .staleSession, "meant for boot \(session.text), this is boot \(boot.text)")
        }
        return nil
    }

    private func unknownCommand(_ command: PendingCommand) -> BehaviourRefusal {
        let known = profile.commands.map(\.name.rawValue).sorted().joined(separator: ", ")
        return BehaviourRefusal(
            .unknownCommand,
            "no command \(command.message.name.rawValue.debugDescription); known are \(known)")
    }

    private func contentRefusal(
        of command: PendingCommand, _ specification: CommandSpecification
    ) -> BehaviourRefusal? {
        revisionRefusal(of: command, specification)
            ?? argumentRefusal(of: command, specification)
            ?? stateRefusal(of: command)
            ?? behaviour.safetyRefusal(of: command.request)
            ?? laneRefusal(of: command, specification)
    }

    private func revisionRefusal(
        of command: PendingCommand, _ specification: CommandSpecification
    ) -> BehaviourRefusal? {
        guard let revision = command.message.ifRevision else {
            guard specification.needsIfRevision else { return nil }
            return BehaviourRefusal(.badRequest, "\(specification.name.rawValue) needs ifRevision")
        }
        guard revision != lastState.revision else { return nil }
        return BehaviourRefusal(
            .precondition, "the revision is \(lastState.revision), not \(revision)")
    }

    private func argumentRefusal(
        of command: PendingCommand, _ specification: CommandSpecification
    ) -> BehaviourRefusal? {
        do {
            try specification.arguments?.check(command.message.arguments)
            try CommonArguments.check(command.request)
            try behaviour.checkArguments(command.request)
            return nil
        } catch {
            return BehaviourRefusal(.badArguments, "\(error)")
        }
    }

    private func stateRefusal(of command: PendingCommand) -> BehaviourRefusal? {
        switch command.message.name {
        case .queryCommands, .cancelCommand, .stop, .identify: nil
        case .commitClaim: claimRefusal(of: command.request)
        default: behaviour.stateRefusal(of: command.request, running: lane.running?.request.name)
        }
    }

    /// A device takes the commit of its own claim, also when that is repeated.
    private func claimRefusal(of request: BehaviourRequest) -> BehaviourRefusal? {
        guard (try? CommonArguments.nonce(of: request)) != claim else { return nil }
        return BehaviourRefusal(.wrongState, "the device did not come here by that claim")
    }

    private func laneRefusal(
        of command: PendingCommand, _ specification: CommandSpecification
    ) -> BehaviourRefusal? {
        guard specification.sort == .action, lane.running != nil, lane.isFull,
            behaviour.admission(of: command.message.name) == .queued
        else { return nil }
        return BehaviourRefusal(
            .throttled, "\(ActionLane.capacity) actions wait already; send a new one later")
    }

    /// Whether the same controller applied a later value of the setting already.
    private func isOvertaken(
        _ command: PendingCommand, _ specification: CommandSpecification
    ) -> Bool {
        guard specification.sort == .setting else { return false }
        let key = SequenceKey(setting: specification.name, controller: command.key.controller)
        return command.message.sequence < journal.sequences[key, default: 0]
    }
}
