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
        let silentAt = intent.sort == .action ? moment.elapsed + Self.longestSilence : nil
        switch standing {
        case .queued:
            loseTrack("the process that sent it has ended, and the device cannot be asked")
        case .sent: phase = .sent(.over)
        case .accepted: phase = .accepted(silentAt: silentAt)
        case .running: phase = .running(silentAt: silentAt)
        case .unknown: break
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
            isKept ? hasLink : reach == .reachable && traits.contains(.asking)
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
            endQuestion()
            return []
        case .none(let reason): return unanswered(reason, at: moment)
        }
    }

    /// A command that is `unknown` after an answer is not queried again.
    mutating func endQuestion() {
        if case .asking(.unknown, _) = phase { phase = .unknown }
    }

    private mutating func denied(at moment: Moment) -> [LifecycleAction] {
        if wasHeard {
            loseTrack(
                "\(intent.device) accepted the command, but says now that it never received it")
            endQuestion()
            return [report(.deniedAfterAck, nil)]
        }
        if overruling != nil {
            endOverruled(at: moment)
        } else if hasExpired(at: moment) {
            end(.expired, .expired, "the command never reached \(intent.device)", at: moment)
        } else {
            end(
                .refused, .staleSession,
                "the command never reached \(intent.device); send it again",
                at: moment)
        }
        return []
    }

    mutating func unanswered(_ reason: String, at moment: Moment) -> [LifecycleAction] {
        guard case .asking(let standing, .asked) = phase else { return [] }
        let isOpen = standing == .queued || standing == .sent
        if isOpen, !hasExpired(at: moment) {
            phase = .asking(standing, .wanted(at: moment.elapsed + resends.next()))
            return []
        }
        let why = reason.isEmpty ? "" : ": \(reason)"
        loseTrack(
            isKept
                ? "what is kept for \(intent.device) could not be read\(why)"
                : "\(intent.device) did not answer a status query for this command\(why)")
        endQuestion()
        return []
    }

    mutating func seen(in boot: BootID) -> [LifecycleAction] {
        guard state.isUnderWay, phase.question == nil, let last = progress.boot, last != boot,
            let standing = phase.standing
        else { return [] }
        return ask(standing, "\(intent.device) has restarted since")
    }
}
