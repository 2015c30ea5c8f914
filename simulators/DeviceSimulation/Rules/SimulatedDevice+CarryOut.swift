import DeviceDomain
import DeviceMessages

// Rule 6 of PROTOCOL section 3: accepted, started, the effect, the end.
extension SimulatedDevice {
    /// Carries out a command that passed every check.
    mutating func carryOut(_ command: PendingCommand, _ specification: CommandSpecification) {
        let admission = behaviour.admission(of: command.message.name)
        let acceptance = lane.acceptance(of: specification.sort, admitted: admission)
        guard output.accept(command, saying: acceptance) else { return }
        switch specification.sort {
        case .setting: set(command)
        case .instant: perform(command)
        case .action:
            admit(
                ActionLane.Item(
                    command: command.key, request: command.request,
                    expiresAt: command.message.expiresAt,
                    nextProgress: now.monotonic + Timetable.progressInterval))
        }
    }

    private mutating func set(_ command: PendingCommand) {
        let key = SequenceKey(setting: command.message.name, controller: command.key.controller)
        output.record(.sequenced(key, command.message.sequence))
        apply(setting: command.request, of: command.key)
    }

    /// Applies a setting and ends its command.
    mutating func apply(setting request: BehaviourRequest, of key: CommandKey) {
        output.start(key)
        var occurrences: [BehaviourOccurrence] = []
        let verdict: Verdict
        do {
            let previous = try behaviour.apply(setting: request, noting: &occurrences)
            verdict = .succeeded(["previous": previous])
        } catch {
            // Only what an older version let through, and left unfinished at a restart.
            verdict = .failed(error)
        }
        settle(occurrences, by: key, ending: [CommandEnding(key, verdict)])
    }

    private mutating func perform(_ command: PendingCommand) {
        output.start(command.key)
        do {
            try perform(instant: command.request, of: command.key)
        } catch {
            output.finish([CommandEnding(command.key, .failed(error))])
        }
    }

    private mutating func perform(
        instant request: BehaviourRequest, of key: CommandKey
    ) throws(ArgumentViolation) {
        switch request.name {
        case .queryCommands: answer(try CommonArguments.ids(of: request), to: key)
        case .cancelCommand: cancel(try CommonArguments.id(of: request), for: key)
        case .stop: stop(key)
        case .identify: output.finish([CommandEnding(key, .succeeded())])
        case .commitClaim: commitClaim(key)
        default:
            var occurrences: [BehaviourOccurrence] = []
            behaviour.perform(instant: request, noting: &occurrences)
            settle(occurrences, by: key, ending: [CommandEnding(key, .succeeded())])
        }
    }

    /// Reports the outcome of commands of the asking controller.
    private mutating func answer(_ ids: [CommandID], to query: CommandKey) {
        let answer = QueryAnswer(about: ids, of: query.controller, from: output.journal)
        if !answer.promised.isEmpty {
            output.record(.promised(query.controller, answer.promised, at: now.wire))
        }
        output.finish(
            [CommandEnding(query, .succeeded(["commands": .array(answer.items)]))])
    }

    /// The device stays in its home; its presence no longer names the claim.
    private mutating func commitClaim(_ key: CommandKey) {
        if let claim = output.reporter.claim, journal.committedClaim != claim {
            output.record(.committed(claim))
            output.publishPresence()
        }
        output.finish([CommandEnding(key, .succeeded())])
    }
}
