internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    /// After a restart nothing is sent blindly: what may have left is asked for.
    mutating func adopted(_ reach: Reach, at moment: Moment) -> [LifecycleAction] {
        self.reach = reach
        guard !state.isFinal else { return [] }
        if state == .created { progress.state = .queued }
        if state == .sending {
            progress.mayHaveLeft = true
            progress.state = .queued
        }
        if state == .queued, !progress.mayHaveLeft {
            refuseIfOffline(at: moment)
            return woken(at: moment) + sendIfPossible(at: moment)
        }
        inquiry = .wanted
        return askIfPossible()
    }

    mutating func askIfPossible() -> [LifecycleAction] {
        guard inquiry == .wanted, reach == .reachable, !state.isFinal else { return [] }
        inquiry = .asked
        resendAt = nil
        silentAt = nil
        return [.ask]
    }

    mutating func answered(_ answer: InquiryAnswer, at moment: Moment) -> [LifecycleAction] {
        guard !state.isFinal else { return [] }
        switch answer {
        case .known(let ack): return acknowledged(by: ack, isAnswer: true, at: moment)
        case .never: return denied(at: moment)
        case .forgotten:
            inquiry = .none
            loseTrack("\(intent.device) can no longer tell what became of it")
            return []
        case .none: return unanswered(at: moment)
        }
    }

    private mutating func denied(at moment: Moment) -> [LifecycleAction] {
        inquiry = .none
        if progress.lastAck > 0 {
            loseTrack("\(intent.device) had accepted it and now denies that it ever had it")
            return [report(.deniedAfterAck, nil, at: moment)]
        }
        if hasExpired(at: moment) {
            end(.expired, .expired, "\(intent.device) never received it", at: moment)
        } else {
            end(
                .refused, .staleSession,
                "\(intent.device) never received it and will not take it any more; send a new one",
                at: moment)
        }
        return []
    }

    private mutating func unanswered(at moment: Moment) -> [LifecycleAction] {
        guard inquiry == .asked else { return [] }
        inquiry = .none
        if state.isUnderWay || hasExpired(at: moment) {
            loseTrack("\(intent.device) does not answer the question what became of it")
        } else if state.awaitsFirstAck {
            inquiry = .wanted
            resendAt = moment.elapsed + resends.next()
        }
        return []
    }

    mutating func seen(in boot: BootID) -> [LifecycleAction] {
        guard state.isUnderWay, inquiry == .none, let last = progress.boot, last != boot else {
            return []
        }
        inquiry = .wanted
        return askIfPossible()
    }

    mutating func seen(revision: Int) -> [LifecycleAction] {
        seenRevision = max(revision, seenRevision ?? revision)
        return []
    }

    mutating func abandoned(at moment: Moment) -> [LifecycleAction] {
        guard !state.isFinal else { return [] }
        loseTrack("the process that asked is gone")
        inquiry = .none
        return []
    }
}
