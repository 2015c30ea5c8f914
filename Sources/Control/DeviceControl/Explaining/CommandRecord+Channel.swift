internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What is said of commands over a channel that reports no acceptance, or whose devices cannot be asked about a
/// command, and of those that nobody looks after any more.
extension CommandRecord {
    /// What its state means where no acceptance is reported; `nil` where that does not differ.
    var meaningWithoutAcceptance: String? {
        let (device, channel) = (intent.device, prepared.channel)
        switch state {
        case .queued where progress.mayHaveLeft:
            return "It may have left; the channel \(channel) reports no outcome."
        case .sent where progress.isClosed:
            return
                "The channel \(channel) has it. What it sets cannot be read, so nothing shows whether it "
                + "took effect."
        case .sent:
            return
                "The channel \(channel) has it. Whether it takes effect shows in the state of \(device)."
        case .unknown:
            return
                "Nobody knows whether \(device) has carried it out: the channel \(channel) reports no "
                + "outcome."
        case .created, .queued, .sending, .accepted, .running, .succeeded, .failed, .rejected,
            .cancelled, .superseded, .refused, .expired:
            return nil
        }
    }

    /// What happens next where its device cannot be asked about it; `nil` where that does not differ.
    func nextStepUnasked(at moment: Timestamp) -> String? {
        let device = intent.device
        let holds = "'homeport show \(device)' tells what holds now."
        switch state {
        case .created, .queued: return progress.mayHaveLeft ? holds : nil
        case .sending, .sent:
            return intent.expiresAt > moment
                ? "Its effect is looked for in the state of \(device), which cannot be asked about it: "
                    + holds
                : holds
        case .accepted, .running:
            return "\(device) tells how it ends, and cannot be asked about it: \(holds)"
        case .unknown: return "It is not sent again, because it might run twice. \(holds)"
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired: return nil
        }
    }

    /// What happens next where nobody looks after it any more; `nil` where somebody does.
    var nextStepOfClosed: String? {
        guard progress.isClosed else { return nil }
        let what = state == .unknown ? "it was put away" : "it has ended"
        return "Nothing: \(what). What \(intent.device) reports of it later still counts."
    }
}
