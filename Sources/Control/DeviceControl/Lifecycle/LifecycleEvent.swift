package import Connectivity
package import DeviceDomain

/// Something that happens to a command.
package enum LifecycleEvent: Hashable, Sendable {
    /// The command is about to be put into the ledger.
    case enqueued(Reach)
    /// This process has taken the command over from one that is dead.
    case adopted(Reach)
    /// The way to the device has changed, or is known for the first time.
    case reach(Reach)
    /// A later command, such as `stop`, contradicts it: it must not reach the device after that one.
    case overruled(by: CommandName)
    /// The ledger has withdrawn it: this is its progress there.
    case withdrawn(CommandProgress)
    /// The settings that the link keeps for the device were read.
    case settings(DesiredReading)
    /// The device reported which of the kept settings it has applied.
    case applied(DesiredSettings)
    /// A hand-over to the link has ended, or reading what the link keeps has failed.
    case sendEnded(SendResult)
    /// The device, or the channel for it, reported on the command.
    case evidence(CommandEvidence)
    /// The device was seen online in this boot.
    case boot(BootID)
    /// The device reported a state of this revision.
    case state(revision: Int)
    /// The device was asked, and this came of it.
    case answer(StatusAnswer)
    /// A deadline may have passed.
    case wake
}

/// What came of asking a device about a command (PROTOCOL section 4).
package enum StatusAnswer: Hashable, Sendable {
    /// The device told this.
    case told(RecordedOutcome)
    /// No answer came; why, for people.
    case none(String)
}

/// What the owner of a lifecycle must do, in this order, once a changed progress is in the ledger. Whether it is to
/// be sent tells ``CommandLifecycle/place``.
package enum LifecycleAction: Hashable, Sendable {
    /// Read the settings that the link keeps for the device. The result is
    /// ``LifecycleEvent/settings(_:)``; then write ``CommandLifecycle/settingsToWrite``.
    case readSettings
    /// Query the device for the command's outcome.
    case ask
    /// Record a violation of the protocol.
    case report(CommandAnomaly)
}
