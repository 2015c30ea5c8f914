package import Connectivity
package import DeviceDomain
package import DeviceMessages

/// A protocol violation; it is recorded and changes nothing.
package struct CommandAnomaly: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The device says that the id was used for other bytes.
        case idReused = "id-reused"
        /// A second final acknowledgement differs from the first one.
        case contradictoryFinal = "contradictory-final"
        /// The device works on a command that ended without reaching it.
        case ackAfterEnd = "ack-after-end"
        /// Another device speaks than the one that the command is for.
        case foreignDevice = "foreign-device"
        /// The ledger does not have the command.
        case unknownCommand = "unknown-command"
        /// The members of an acknowledgement contradict each other.
        case inconsistentAck = "inconsistent-ack"
        /// The device says that it never had a command that it had acknowledged.
        case deniedAfterAck = "denied-after-ack"
    }

    /// What it is.
    package let kind: Kind
    /// The command.
    package let command: CommandID
    /// The device that spoke.
    package let device: DeviceID
    /// What was said; `nil` where it was no evidence.
    package let evidence: CommandEvidence?

    package init(
        _ kind: Kind, command: CommandID, device: DeviceID, evidence: CommandEvidence? = nil
    ) {
        self.kind = kind
        self.command = command
        self.device = device
        self.evidence = evidence
    }
}

extension CommandAnomaly {
    /// What the ledger's log keeps of it.
    func logged(at time: Timestamp) -> LedgerEvent {
        LedgerEvent(
            .anomaly, of: command, at: time, cause: "\(device): \(kind.explanation)",
            detail: [
                "anomaly": .string(kind.rawValue), "device": .string(device.text),
            ], raw: evidence?.raw ?? [])
    }
}

extension CommandAnomaly.Kind {
    /// What happened, for people.
    fileprivate var explanation: String {
        switch self {
        case .idReused: "says that the id was used for other bytes"
        case .contradictoryFinal: "reports another end than the first one"
        case .ackAfterEnd: "works on a command that had ended without reaching it"
        case .foreignDevice: "acknowledges the command of another device"
        case .unknownCommand: "acknowledges a command that the ledger does not have"
        case .inconsistentAck: "sent an acknowledgement that contradicts itself"
        case .deniedAfterAck: "denies a command that it had acknowledged"
        }
    }
}
