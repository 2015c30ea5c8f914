internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    /// From now on the command is not sent: after the later one it would undo that one's effect.
    mutating func overruled(by later: CommandName, at moment: Moment) -> [LifecycleAction] {
        guard state.awaitsFirstAck else { return [] }
        overruling = later
        return leaveToLater(at: moment)
    }

    /// Ends an overruled command that has not left, and asks about one that may have.
    ///
    /// What the link has is left to it: its answer is awaited first, and instead of a resend the
    /// device is asked.
    mutating func leaveToLater(at moment: Moment) -> [LifecycleAction] {
        switch phase {
        case .created, .queued: return abandon(at: moment)
        case .sending(.inLane), .sent(.inLane):
            progress.sends -= 1
            return abandon(at: moment)
        case .sending(.due(let due)) where due <= moment.elapsed,
            .sent(.due(let due)) where due <= moment.elapsed:
            return abandon(at: moment)
        case .sending, .storing, .sent, .accepted, .running, .asking, .unknown, .ended: return []
        }
    }

    private mutating func abandon(at moment: Moment) -> [LifecycleAction] {
        guard progress.mayHaveLeft else {
            endOverruled(at: moment)
            return []
        }
        return ask(
            phase.standing ?? .queued, "it was sent once, and a later command contradicts it")
    }

    /// The device never had it, and the later command holds.
    mutating func endOverruled(at moment: Moment) {
        let later = overruling?.rawValue ?? "command"
        end(.superseded, .superseded, "a later \(later) took its place", at: moment)
    }
}
