internal import Connectivity
internal import DeviceDomain

extension FollowedCommands {
    /// A command that is about to be accepted, with what is to be done once it is.
    struct Entering {
        let command: TrackedCommand
        let draft: CommandDraft
        let actions: [LifecycleAction]
    }

    /// Follows a command before it is in the ledger, so that nothing about it is missed.
    func enter(_ intent: CommandIntent, of order: CommandOrder, in lane: DeviceLane) -> Entering {
        let now = clock.now
        let (conversation, reach) = (lane.conversation, lane.reach)
        var lifecycle = CommandLifecycle(
            intent, traits: conversation.traits, seenRevision: conversation.revision, at: now,
            seed: generator.next())
        let before = lifecycle.progress
        let actions = lifecycle.handle(.enqueued(reach), at: now)
        let command = TrackedCommand(entering: lifecycle, lane: lane)
        // Its first send is written down with what comes of it, to save a write before it.
        var log = lifecycle.log(of: .enqueued(reach), since: before, at: now)
        for index in log.indices { log[index].state = nil }
        command.keep(log)
        insert(command)
        lane.handleQueueEvent(.reserved(intent.id), in: intent.lane)
        let service = conversation.service
        return Entering(
            command: command,
            draft: CommandDraft(
                intent: intent, opening: lifecycle.progress,
                cause: reach.explanation(of: intent.device),
                shownArguments: order.specification.arguments?.redacting(intent.arguments),
                prepare: { intent, sequence throws(CommunicationError) in
                    try service.prepare(intent, sequence: sequence)
                }),
            actions: actions)
    }

    /// Follows a command no more that the ledger has not taken in.
    func leave(_ command: TrackedCommand) {
        command.lane?.handleQueueEvent(.withdrawn(command.id), in: command.lifecycle.intent.lane)
        forget(command.id)
    }
}
