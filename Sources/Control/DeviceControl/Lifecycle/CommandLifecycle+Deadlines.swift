internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func woken(at moment: Moment) -> [LifecycleAction] {
        if terms.hasExpired(at: moment), !progress.isClosed { startTimePassed(at: moment) }
        guard let due = phase.timer, due <= moment.elapsed else { return [] }
        switch phase {
        case .queued:
            phase = .queued(retryAt: nil)
            return sendIfPossible(at: moment)
        case .sending, .sent: return sendIfPossible(at: moment)
        case .asking(let standing, _):
            phase = .asking(standing, .wanted(at: nil))
            return askIfPossible()
        case .accepted, .running:
            let why = "\(intent.device) has not reported progress for \(Self.longestSilence)"
            return phase.standing.map { ask($0, why) } ?? []
        case .created, .storing, .unknown, .ended: return []
        }
    }

    private mutating func startTimePassed(at moment: Moment) {
        guard let missed = phase.expectation(of: intent.sort) else { return }
        // It was not handed over: that is no send.
        if phase.transmission == .inLane { progress.sends -= 1 }
        switch missed {
        case .leaving: neverSent(at: moment)
        case .answer: loseTrack(missedAnswer)
        case .end:
            loseTrack("\(intent.device) accepted the command, but did not report its end in time")
        }
    }

    private mutating func neverSent(at moment: Moment) {
        guard !progress.mayHaveLeft else { return loseTrack(missedAnswer) }
        // Why it waited tells more than that its time has passed.
        let reason = progress.message.isEmpty ? "" : ": \(progress.message)"
        end(.expired, .expired, "the command could not be sent in time\(reason)", at: moment)
    }

    private var missedAnswer: String { terms.missedAnswer(isKept: isKept, failure: lastFailure) }
}
