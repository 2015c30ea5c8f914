package import Connectivity
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
