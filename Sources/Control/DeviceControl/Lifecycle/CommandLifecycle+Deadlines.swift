internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func woken(at moment: Moment) -> [LifecycleAction] {
        if hasExpired(at: moment), !progress.isClosed { startTimePassed(at: moment) }
        switch phase {
        case .queued(let due?) where due <= moment.elapsed:
            phase = .queued(retryAt: nil)
            return sendIfPossible(at: moment)
        case .sending(.due(let due)) where due <= moment.elapsed,
            .sent(.due(let due)) where due <= moment.elapsed:
            return sendIfPossible(at: moment)
        case .asking(let standing, .wanted(let due?)) where due <= moment.elapsed:
            phase = .asking(standing, .wanted(at: nil))
            return askIfPossible()
        case .accepted(let due?) where due <= moment.elapsed: return fellSilent(.accepted)
        case .running(let due?) where due <= moment.elapsed: return fellSilent(.running)
        case .created, .queued, .sending, .storing, .sent, .accepted, .running, .asking, .unknown,
            .ended:
            return []
        }
    }

    private mutating func fellSilent(_ standing: LifecyclePhase.Standing) -> [LifecycleAction] {
        ask(standing, "\(intent.device) has not reported progress for \(Self.longestSilence)")
    }

    private mutating func startTimePassed(at moment: Moment) {
        switch phase {
        case .created, .queued, .storing(.reading): neverSent(at: moment)
        case .sending(.inLane):
            progress.sends -= 1
            neverSent(at: moment)
        case .sent(.inLane):
            progress.sends -= 1
            loseTrack(missedAnswer)
        case .sending, .storing(.writing), .storing(.confirming), .sent: loseTrack(missedAnswer)
        case .accepted, .running: notEndedInTime()
        case .asking(.queued, .wanted), .asking(.sent, .wanted): loseTrack(missedAnswer)
        case .asking(.accepted, .wanted), .asking(.running, .wanted): notEndedInTime()
        case .asking(.unknown, .wanted), .asking(_, .asked), .unknown, .ended: return
        }
    }

    private mutating func neverSent(at moment: Moment) {
        guard !progress.mayHaveLeft else { return loseTrack(missedAnswer) }
        // Why it waited tells more than that its time has passed.
        let reason = progress.message.isEmpty ? "" : ": \(progress.message)"
        end(.expired, .expired, "the command could not be sent in time\(reason)", at: moment)
    }

    private mutating func notEndedInTime() {
        guard intent.sort != .action else { return }
        loseTrack("\(intent.device) accepted the command, but did not report its end in time")
    }

    var missedAnswer: String {
        if isKept { return notAppliedYet }
        let missed =
            traits.contains(.acceptance)
            ? "the device did not answer in time"
            : "the command was sent, but its effect was not seen in time"
        return missed + (lastFailure.map { ": \($0)" } ?? "")
    }
}
