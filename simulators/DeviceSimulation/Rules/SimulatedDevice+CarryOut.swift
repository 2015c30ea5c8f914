import DeviceDomain
import DeviceMessages

// Rule 6 of PROTOCOL section 3: accepted, started, the effect, the end.
extension SimulatedDevice {
    /// Carries out a command that passed every check.
    mutating func carryOut(_ command: PendingCommand, _ specification: CommandSpecification) {
        guard accept(command, specification.sort) else { return }
        switch specification.sort {
        case .setting: set(command)
        case .instant: perform(command)
        case .action: admit(command)
        }
    }

    private mutating func set(_ command: PendingCommand) {
        let key = SequenceKey(setting: command.message.name, controller: command.key.controller)
        record(.sequenced(key, command.message.sequence))
        apply(setting: command.request, of: command.key)
    }

    /// Applies a setting and ends its command.
    mutating func apply(setting request: BehaviourRequest, of key: CommandKey) {
        start(key)
        var occurrences: [BehaviourOccurrence] = []
        let verdict: Verdict
        do {
            let previous = try behaviour.apply(setting: request, noting: &occurrences)
            verdict = .succeeded(["previous": previous])
        } catch {
            // Only what an older version let through, and left unfinished at a restart.
            verdict = .failed(.badArguments, "\(error)")
        }
        settle(occurrences, by: key, ending: [(key, verdict)])
    }

    private mutating func perform(_ command: PendingCommand) {
        start(command.key)
        switch command.message.name {
        case .queryCommands: answerQuery(command)
        case .cancelCommand: cancel(command)
        case .stop: stop(command)
        case .identify: finish([(command.key, .succeeded())], with: nil)
        case .commitClaim: commitClaim(command.key)
        default:
            var occurrences: [BehaviourOccurrence] = []
            behaviour.perform(instant: command.request, noting: &occurrences)
            settle(occurrences, by: command.key, ending: [(command.key, .succeeded())])
        }
    }

    /// The device stays in its home; its presence no longer names the claim.
    private mutating func commitClaim(_ key: CommandKey) {
        if let claim, journal.committedClaim != claim {
            record(.committed(claim))
            publish(.presence(presence(.online)))
        }
        finish([(key, .succeeded())], with: nil)
    }

    private mutating func admit(_ command: PendingCommand) {
        let item = ActionLane.Item(
            command: command.key, request: command.request, expiresAt: command.message.expiresAt,
            nextProgress: now.monotonic + Timetable.progressInterval)
        switch behaviour.admission(of: command.message.name) {
        case .atOnce: preempt(with: item)
        case .queued:
            lane.enqueue(item)
            startNextAction()
        }
    }

    /// Records that the effect of a command starts.
    mutating func start(_ key: CommandKey) {
        record(.started(key, executions: (journal.entries[key]?.executions ?? 0) + 1))
    }
}
