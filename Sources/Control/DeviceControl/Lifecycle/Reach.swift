package import Connectivity
internal import DeviceDomain
package import DeviceMessages

/// Whether a command can reach its device now.
package enum Reach: Hashable, Sendable {
    /// There is no way to the device at present. The reason is for people; empty if none is known.
    case linkDown(String)
    /// There is a link, but the device is not there.
    case offline
    /// The link works and the device is not known to be away.
    case reachable
    /// There will be no way until somebody changes something; why, as a code and for people.
    case refused(AckCode, String)
}

extension Reach {
    /// Whether the link works, whatever the device does.
    var hasLink: Bool { self == .reachable || self == .offline }

    /// Why a command that has not left is refused instead of waiting; `nil` if it waits or can be sent.
    func refusal(of intent: CommandIntent) -> (code: AckCode, message: String)? {
        switch self {
        case .reachable, .linkDown: nil
        case .offline where intent.offline == .failFast:
            (.notReady, "\(intent.device) is offline; try again later")
        case .offline: nil
        case .refused(let code, let reason): (code, reason)
        }
    }
}

/// What became of one hand-over to the link.
package enum SendResult: Hashable, Sendable {
    /// The link's word on it.
    case receipt(DeliveryReceipt)
    /// It surely did not leave; it may be tried again.
    case neverLeft(String)
    /// It surely did not leave, and trying again is useless.
    case cannotLeave(AckCode, String)
    /// It may have left.
    case mayHaveLeft(String)
}

extension SendResult {
    /// Whether the bytes were handed over, as far as we know: only then it counts as a send.
    var countsAsSend: Bool {
        switch self {
        case .receipt, .mayHaveLeft: true
        case .neverLeft, .cannotLeave: false
        }
    }

    /// Whether the link surely did not take the bytes.
    var isSurelyNotTaken: Bool {
        switch self {
        case .neverLeft, .cannotLeave, .receipt(.refused): true
        case .receipt(.confirmed), .receipt(.confirmedWithoutEvidence), .receipt(.noReceiver),
            .mayHaveLeft:
            false
        }
    }

    /// Why nobody knows whether the bytes left; `nil` where that is known.
    var doubt: String? { if case .mayHaveLeft(let reason) = self { reason } else { nil } }
}
