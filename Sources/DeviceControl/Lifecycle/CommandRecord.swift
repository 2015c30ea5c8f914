internal import DeviceDomain
public import DeviceMessages

/// A command as the ledger holds it: what was wanted, what is sent, and what is known of its fate.
public struct CommandRecord: Hashable, Sendable, Identifiable {
    /// What was wanted.
    public let intent: CommandIntent
    /// Its place among the controller's commands to the device, from 1.
    public let sequence: Int
    /// The bytes of every send.
    public let payload: [UInt8]
    /// What is known of its fate.
    public var progress: CommandProgress

    public init(
        intent: CommandIntent, sequence: Int, payload: [UInt8], progress: CommandProgress
    ) {
        self.intent = intent
        self.sequence = sequence
        self.payload = payload
        self.progress = progress
    }

    public var id: CommandID { intent.id }

    /// Where it stands.
    public var state: CommandState { progress.state }

    /// How it ended; `nil` while it is open.
    public var outcome: CommandOutcome? { CommandOutcome(progress.state) }
}
