import DeviceDomain
import DeviceMessages

// The normal lane: which action runs, waits, or is superseded.
extension SimulatedDevice {
    /// Starts the next action of the lane if none runs.
    mutating func startNextAction() {
        while lane.running == nil, let next = lane.takeNext() {
            if next.expiresAt < now.wire {
                finish([(next.command, .lateStart)], with: nil)
            } else if let refusal = behaviour.stateRefusal(of: next.request, running: nil) {
                finish([(next.command, .failed(refusal.code, refusal.message))], with: nil)
            } else {
                run(next)
            }
        }
    }

    private mutating func run(_ item: ActionLane.Item) {
        start(item.command)
        lane.running = item
        var occurrences: [BehaviourOccurrence] = []
        behaviour.begin(action: item.request, noting: &occurrences)
        settle(occurrences, by: item.command)
    }

    /// Starts an action at once; the one that ran and those that wait end as superseded: who sends a robot
    /// home wants it to stay there (PROTOCOL section 3).
    mutating func preempt(with item: ActionLane.Item) {
        start(item.command)
        var occurrences: [BehaviourOccurrence] = []
        var endings: [(CommandKey, Verdict)] = []
        if let running = lane.running {
            behaviour.interrupt(noting: &occurrences)
            endings.append((running.command, .superseded(by: item.request.name)))
        }
        endings += lane.takeWaiting().map { ($0.command, .superseded(by: item.request.name)) }
        lane.running = item
        behaviour.begin(action: item.request, noting: &occurrences)
        settle(occurrences, by: item.command, ending: endings)
    }

    /// Ends what runs and what waits: the running action is cancelled, the waiting ones are
    /// superseded, and then `stop` has succeeded.
    mutating func stop(_ command: PendingCommand) {
        var endings: [(CommandKey, Verdict)] = []
        if let running = lane.running {
            endings.append((running.command, .cancelled(by: .stop)))
            lane.running = nil
        }
        endings += lane.takeWaiting().map { ($0.command, .superseded(by: .stop)) }
        endings.append((command.key, .succeeded()))
        var occurrences: [BehaviourOccurrence] = []
        behaviour.interrupt(noting: &occurrences)
        settle(occurrences, by: command.key, ending: endings)
    }

    /// Takes back a command of the asking controller that waits or runs.
    mutating func cancel(_ command: PendingCommand) {
        do {
            let id = try CommonArguments.id(of: command.request)
            cancel(CommandKey(controller: command.key.controller, id: id), for: command.key)
        } catch {
            finish([(command.key, .failed(.badArguments, "\(error)"))], with: nil)
        }
    }

    private mutating func cancel(_ target: CommandKey, for canceller: CommandKey) {
        let endings = [(target, Verdict.cancelled(by: .cancelCommand)), (canceller, .succeeded())]
        var occurrences: [BehaviourOccurrence] = []
        if lane.running?.command == target {
            lane.running = nil
            behaviour.interrupt(noting: &occurrences)
        } else if !lane.withdraw(target) {
            let reason = "no command \(target.id.text) of this controller waits or runs"
            return finish([(canceller, .failed(.wrongState, reason))], with: nil)
        }
        settle(occurrences, by: canceller, ending: endings)
    }

    /// Ends the waiting actions whose start time has passed.
    mutating func expireWaitingActions() {
        let expired = lane.takeExpired(at: now.wire)
        guard !expired.isEmpty else { return }
        finish(expired.map { ($0.command, .lateStart) }, with: nil)
    }

    /// Sends the progress acks that are due, of running and of waiting actions.
    mutating func sendDueProgress() {
        let next = now.monotonic + Timetable.progressInterval
        for item in lane.takeDueProgress(at: now.monotonic, next: next) where link.isConnected {
            if item.command == lane.running?.command {
                progress(item.command, percent: behaviour.actionPercent)
            } else {
                progress(item.command, percent: nil, message: "waits in the lane")
            }
        }
    }
}

extension Verdict {
    /// The start time of an action passed while it waited.
    static let lateStart = Verdict(
        stage: .expired, code: .expired, message: "the start time passed while it waited")
}
