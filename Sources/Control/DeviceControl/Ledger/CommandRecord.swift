public import Connectivity
public import DeviceDomain
public import DeviceMessages

/// A command as the ledger holds it: what was wanted, what is sent, and what is known of its outcome.
public struct CommandRecord: Hashable, Sendable, Identifiable {
    /// What was wanted, and the bytes of every send.
    public let prepared: PreparedCommand
    /// What is known of its outcome.
    public var progress: CommandProgress
    /// Where it was meant to go, such as its broker; `nil` where nobody knows any more.
    public var place: CommandPlaces.Place?

    public init(
        prepared: PreparedCommand, progress: CommandProgress, place: CommandPlaces.Place? = nil
    ) {
        self.prepared = prepared
        self.progress = progress
        self.place = place
    }

    public var id: CommandID { prepared.id }

    /// What was wanted.
    public var intent: CommandIntent { prepared.intent }

    /// Where it stands.
    public var state: CommandState { progress.state }

    /// How it ended; `nil` while it is open.
    public var outcome: CommandOutcome? { CommandOutcome(progress.state) }

    /// Whether it waits here although it may start no more, because no process was there to end it.
    public func isOverdue(at moment: Timestamp) -> Bool {
        (state == .created || state == .queued) && !progress.mayHaveLeft
            && intent.expiresAt <= moment
    }
}
