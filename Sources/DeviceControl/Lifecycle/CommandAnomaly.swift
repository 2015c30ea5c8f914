public import DeviceDomain
public import DeviceMessages

/// Something that a correct device or controller never does; it is recorded and changes nothing.
public struct CommandAnomaly: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The device says that the id was used for other bytes.
        case idReused = "id-reused"
        /// A second final ack differs from the first one.
        case contradictoryFinal = "contradictory-final"
        /// The device works on a command that ended without reaching it.
        case ackAfterEnd = "ack-after-end"
        /// An ack of another device than the one the command is for.
        case foreignDevice = "foreign-device"
        /// An ack for a command that the ledger does not have.
        case unknownCommand = "unknown-command"
        /// An ack whose members contradict each other.
        case inconsistentAck = "inconsistent-ack"
        /// The device says that it never had a command that it had acknowledged.
        case deniedAfterAck = "denied-after-ack"
    }

    /// What it is.
    public let kind: Kind
    /// The command.
    public let command: CommandID
    /// The device that spoke.
    public let device: DeviceID
    /// What was said; `nil` where it was no ack.
    public let ack: AckMessage?
    /// When it was noticed (wire clock).
    public let at: Timestamp

    public init(
        _ kind: Kind, command: CommandID, device: DeviceID, ack: AckMessage? = nil, at: Timestamp
    ) {
        self.kind = kind
        self.command = command
        self.device = device
        self.ack = ack
        self.at = at
    }
}
