import DeviceDomain
import DeviceMessages

/// What rule 5 of PROTOCOL section 3 compares a command with: the device as it is now.
struct CommandChecks {
    private let device: DeviceID
    private let boot: BootID
    private let claim: ClaimNonce?
    private let profile: DeviceProfile
    private let behaviour: any DeviceBehaviour
    private let lane: ActionLane
    private let revision: Int

    init(of device: SimulatedDevice) {
        self.device = device.identity.device
        boot = device.boot
        claim = device.output.reporter.claim
        profile = device.output.reporter.profile
        behaviour = device.behaviour
        lane = device.lane
        revision = device.output.reporter.revision
    }

    /// What is wrong with the envelope.
    func envelopeRefusal(of command: PendingCommand) -> BehaviourRefusal? {
        let controller = command.key.controller
        if let topic = command.arrival.responseTopic, topic != .acks(controller) {
            return BehaviourRefusal(
                .badResponseTopic,
                "acks go only to the ack topic of \(device) for \(controller)")
        }
        if let session = command.message.boot, session != boot {
            return BehaviourRefusal(
                .staleSession, "meant for boot \(session.text), this is boot \(boot.text)")
        }
        return nil
    }

    /// The refusal of a command that the device does not declare.
    func unknownCommand(_ command: PendingCommand) -> BehaviourRefusal {
        let known = profile.commands.map(\.name.rawValue).sorted().joined(separator: ", ")
        return BehaviourRefusal(
            .unknownCommand,
            "no command \(command.message.name.rawValue.debugDescription); known are \(known)")
    }

    /// What is wrong with revision, arguments, state, safety or lane, the first of them.
    func contentRefusal(
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
        guard let wanted = command.message.ifRevision else {
            guard specification.needsIfRevision else { return nil }
            return BehaviourRefusal(.badRequest, "\(specification.name.rawValue) needs ifRevision")
        }
        guard wanted != revision else { return nil }
        return BehaviourRefusal(
            .precondition, "the revision is \(revision), not \(wanted)")
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
}
