internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    /// After a restart no command is sent twice: where it may have left, the device is queried.
    mutating func adopted(_ reach: Reach, at moment: Moment) -> [LifecycleAction] {
        self.reach = reach
        let actions = takenOver(at: moment)
        if !state.isFinal, case .linkDown(let reason) = reach, !reason.isEmpty {
            progress.message = reason
        }
        return actions
    }

    private mutating func takenOver(at moment: Moment) -> [LifecycleAction] {
        switch phase {
        case .created, .queued:
            guard !progress.mayHaveLeft else { return askAfterRestart(.queued, at: moment) }
            phase = .queued(retryAt: nil)
            explainWaiting(at: moment)
            return woken(at: moment) + sendIfPossible(at: moment)
        case .sending, .storing:
            progress.mayHaveLeft = true
            return askAfterRestart(.queued, at: moment)
        case .asking(_, .asked): return []
        case .sent, .accepted, .running, .asking, .unknown:
            return phase.standing.map { askAfterRestart($0, at: moment) } ?? []
        case .ended: return []
        }
    }

    /// Where no query is possible, the last state that the device reported still holds, and a command
    /// that the device has not answered is `unknown`.
    private mutating func askAfterRestart(_ standing: LifecyclePhase.Standing, at moment: Moment)
        -> [LifecycleAction]
    {
        guard !isKept, !traits.contains(.asking) else { return ask(standing, "") }
        if let next = standing.phase(silentAt: terms.silence(after: moment)) {
            phase = next
        } else {
            loseTrack("the process that sent it has ended, and the device cannot be asked")
        }
        return []
    }

    /// Queries the device for the command's outcome.
    /// - Parameter reason: why; it is shown where no query is possible and the outcome is unknown.
    mutating func ask(_ standing: LifecyclePhase.Standing, _ reason: String)
        -> [LifecycleAction]
    {
        guard isKept || traits.contains(.asking) else {
            loseTrack(reason)
            return []
        }
        if standing == .unknown { loseTrack(reason) }
        phase = .asking(standing, .wanted(at: nil))
        return askIfPossible()
    }

    mutating func askIfPossible() -> [LifecycleAction] {
        guard case .asking(let standing, .wanted) = phase,
            isKept ? reach.hasLink : reach == .reachable && traits.contains(.asking)
        else { return [] }
        phase = .asking(standing, .asked)
        return [isKept ? .readSettings : .ask]
    }

    mutating func answered(_ answer: StatusAnswer, at moment: Moment) -> [LifecycleAction] {
        guard !state.isFinal else { return [] }
        switch answer {
        case .told(.known(let evidence)): return told(by: evidence, isAnswer: true, at: moment)
        case .told(.never): return denied(at: moment)
        case .told(.forgotten):
            loseTrack("")
            progress.message = "\(intent.device) no longer knows what became of the command"
            phase.endQuestion()
            return []
        case .none(let reason): return unanswered(reason, at: moment)
        }
    }

    private mutating func denied(at moment: Moment) -> [LifecycleAction] {
        if progress.wasHeard {
            loseTrack(
                "\(intent.device) accepted the command, but says now that it never received it")
            phase.endQuestion()
            return [report(.deniedAfterAck, nil)]
        }
        if overruling != nil {
            endOverruled(at: moment)
        } else if terms.hasExpired(at: moment) {
            end(.expired, .expired, "the command never reached \(intent.device)", at: moment)
        } else {
            let why = "the command never reached \(intent.device); send it again"
            end(.refused, .staleSession, why, at: moment)
        }
        return []
    }

    mutating func unanswered(_ reason: String, at moment: Moment) -> [LifecycleAction] {
        guard case .asking(let standing, .asked) = phase else { return [] }
        let isOpen = standing == .queued || standing == .sent
        if isOpen, !terms.hasExpired(at: moment) {
            phase = .asking(standing, .wanted(at: moment.elapsed + resends.next()))
            return []
        }
        let why = reason.isEmpty ? "" : ": \(reason)"
        loseTrack(
            isKept
                ? "what is kept for \(intent.device) could not be read\(why)"
                : "\(intent.device) did not answer a status query for this command\(why)")
        phase.endQuestion()
        return []
    }

    mutating func seen(in boot: BootID) -> [LifecycleAction] {
        guard state.isUnderWay, phase.question == nil, isOther(boot), let standing = phase.standing
        else { return [] }
        return ask(standing, "\(intent.device) has restarted since")
    }
}
