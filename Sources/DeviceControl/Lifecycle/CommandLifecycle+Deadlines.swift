internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func woken(at moment: Moment) -> [LifecycleAction] {
        if hasExpired(at: moment) { startTimePassed(at: moment) }
        var actions: [LifecycleAction] = []
        if let due = resendAt, due <= moment.elapsed {
            resendAt = nil
            actions += resendDue(at: moment)
        }
        if let due = silentAt, due <= moment.elapsed {
            silentAt = nil
            inquiry = .wanted
            actions += askIfPossible()
        }
        return actions
    }

    private mutating func startTimePassed(at moment: Moment) {
        guard inquiry != .asked else { return }
        switch state {
        case .created, .queued:
            if progress.mayHaveLeft {
                loseTrack("no answer came in time")
            } else {
                end(.expired, .expired, "it could not be sent in time", at: moment)
            }
        case .sending, .sent: loseTrack("no answer came in time")
        case .accepted, .running:
            guard intent.sort != .action else { return }
            loseTrack("\(intent.device) accepted it, but did not end it in time")
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired, .unknown:
            return
        }
    }

    private mutating func resendDue(at moment: Moment) -> [LifecycleAction] {
        inquiry == .none ? sendIfPossible(at: moment) : askIfPossible()
    }
}
