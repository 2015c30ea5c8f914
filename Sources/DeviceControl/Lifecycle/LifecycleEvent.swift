public import Connectivity
public import DeviceDomain
public import DeviceMessages

/// Whether a command can reach its device now.
public enum Reach: Hashable, Sendable, CaseIterable {
    /// The channel has no link.
    case linkDown
    /// There is a link, but the device is not there.
    case offline
    /// The link works and the device is not known to be away.
    case reachable
}

/// What became of one hand-over to the link.
public enum SendResult: Hashable, Sendable {
    /// The link's word on it.
    case receipt(DeliveryReceipt)
    /// The link did not take it; it surely did not leave.
    case notHandedOver(String)
    /// The link broke on the way; it may have left.
    case lostOnTheWay(String)
}

/// What the device answers when it is asked about a command (PROTOCOL section 4).
public enum InquiryAnswer: Hashable, Sendable {
    /// It knows the command: its latest ack.
    case known(AckMessage)
    /// It never had it and will refuse it from now on.
    case never
    /// It can no longer tell.
    case forgotten
    /// No answer came.
    case none
}

/// Something that happens to a command.
public enum LifecycleEvent: Hashable, Sendable {
    /// The command is about to be put into the ledger.
    case enqueued(Reach)
    /// This process has taken the command over from one that is dead.
    case adopted(Reach)
    /// The way to the device has changed, or is known for the first time.
    case reach(Reach)
    /// The link has answered a hand-over.
    case sendEnded(SendResult)
    /// An ack came.
    case ack(AckMessage)
    /// The device was seen online in this boot.
    case boot(BootID)
    /// The device reported a state of this revision.
    case state(revision: Int)
    /// The device was asked.
    case answer(InquiryAnswer)
    /// A deadline may have passed.
    case wake
    /// Nobody follows the command any more; only inquiries end so.
    case abandoned
}

/// What the owner of a lifecycle must do, in this order.
public enum LifecycleAction: Hashable, Sendable {
    /// Put the progress into the ledger, before anything else.
    case record
    /// Hand the bytes to the link; this is the attempt's number.
    case publish(attempt: Int)
    /// Ask the device what became of the command.
    case ask
    /// Note something that must not be.
    case report(CommandAnomaly)
}
