internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What is said of commands over a channel that reports no acceptance, such as a bridge, and of those that
/// nobody looks after any more.
extension CommandRecord {
    /// What its state means where no answer is due; `nil` where that does not differ.
    var meaningOnBridge: String? {
        let device = intent.device
        switch state {
        case .queued where progress.mayHaveLeft:
            return "It may have left; the bridge of \(device) reports no outcome."
        case .sent where progress.isClosed:
            return
                "The bridge has it. What it sets cannot be read, so nothing shows whether it took effect."
        case .sent:
            return "The bridge has it. Whether it takes effect shows in the state of \(device)."
        case .unknown:
            return
                "Nobody knows whether \(device) has carried it out: the bridge reports no outcome."
        case .created, .queued, .sending, .accepted, .running, .succeeded, .failed, .rejected,
            .cancelled, .superseded, .refused, .expired:
            return nil
        }
    }

    /// What happens next where nobody can be asked; `nil` where that does not differ.
    func nextStepOnBridge(at moment: Timestamp) -> String? {
        let holds = "'homeport show \(intent.device)' tells what holds now."
        switch state {
        case .queued where progress.mayHaveLeft: return holds
        case .sending, .sent:
            return intent.expiresAt > moment
                ? "Its effect is looked for in the state of \(intent.device). The bridge reports no "
                    + "outcome: \(holds)"
                : holds
        case .unknown: return "It is not sent again, because it might run twice. \(holds)"
        case .created, .queued, .accepted, .running, .succeeded, .failed, .rejected, .cancelled,
            .superseded, .refused, .expired:
            return nil
        }
    }

    /// What happens next where nobody looks after it any more; `nil` where somebody does.
    var nextStepOfClosed: String? {
        guard progress.isClosed else { return nil }
        let what = state == .unknown ? "it was put away" : "it has ended"
        return "Nothing: \(what). What \(intent.device) reports of it later still counts."
    }
}
