import DeviceDomain
import DeviceMessages

// The normal lane: which action runs, waits, or is superseded.
extension SimulatedDevice {
    /// Lets an action into the lane.
    mutating func admit(_ item: ActionLane.Item) {
        switch behaviour.admission(of: item.request.name) {
        case .atOnce: preempt(with: item)
        case .queued:
            lane.enqueue(item)
            startNextAction()
        }
    }

    /// Starts the next action of the lane if none runs.
    mutating func startNextAction() {
        while let next = lane.takeNext() {
            if next.expiresAt < now.wire {
                output.finish([CommandEnding(next.command, .lateStart)])
            } else if let refusal = behaviour.stateRefusal(of: next.request, running: nil) {
                output.finish([CommandEnding(next.command, .failed(refusal))])
            } else {
                run(next)
            }
        }
    }

    private mutating func run(_ item: ActionLane.Item) {
        output.start(item.command)
        lane.running = item
        var occurrences: [BehaviourOccurrence] = []
        behaviour.begin(action: item.request, noting: &occurrences)
        settle(occurrences, by: item.command)
    }

    /// Starts an action at once; the one that ran and those that wait end as superseded: who sends a robot
    /// home wants it to stay there (PROTOCOL section 3).
    private mutating func preempt(with item: ActionLane.Item) {
        output.start(item.command)
        let name = item.request.name
        var occurrences: [BehaviourOccurrence] = []
        if lane.running != nil { behaviour.interrupt(noting: &occurrences) }
        let endings = lane.takeAll(because: name, ending: .superseded(by: name))
        lane.running = item
        behaviour.begin(action: item.request, noting: &occurrences)
        settle(occurrences, by: item.command, ending: endings)
    }

    /// Ends what runs and what waits: the running action is cancelled, the waiting ones are
    /// superseded, and then `stop` has succeeded.
    mutating func stop(_ key: CommandKey) {
        let endings = lane.takeAll(because: .stop, ending: .cancelled(by: .stop))
        var occurrences: [BehaviourOccurrence] = []
        behaviour.interrupt(noting: &occurrences)
        settle(occurrences, by: key, ending: endings + [CommandEnding(key, .succeeded())])
    }

    /// Takes back a command of the asking controller that waits or runs.
    mutating func cancel(_ id: CommandID, for canceller: CommandKey) {
        let target = CommandKey(controller: canceller.controller, id: id)
        var occurrences: [BehaviourOccurrence] = []
        if lane.running?.command == target {
            lane.running = nil
            behaviour.interrupt(noting: &occurrences)
        } else if !lane.withdraw(target) {
            let reason = "no command \(target.id.text) of this controller waits or runs"
            return output.finish([CommandEnding(canceller, .failed(.wrongState, reason))])
        }
        settle(
            occurrences, by: canceller,
            ending: [
                CommandEnding(target, .cancelled(by: .cancelCommand)),
                CommandEnding(canceller, .succeeded()),
            ])
    }

    /// Ends the waiting actions whose start time has passed.
    mutating func expireWaitingActions() {
        let expired = lane.takeExpired(at: now.wire)
        if !expired.isEmpty { output.finish(expired) }
    }

    /// Sends the progress acks that are due, of running and of waiting actions.
    mutating func sendDueProgress() {
        let next = now.monotonic + Timetable.progressInterval
        for item in lane.takeDueProgress(at: now.monotonic, next: next)
        where output.link.isConnected {
            if item.command == lane.running?.command {
                output.progress(item.command, percent: behaviour.actionPercent)
            } else {
                output.progress(item.command, percent: nil, message: "waits in the lane")
            }
        }
    }
}
