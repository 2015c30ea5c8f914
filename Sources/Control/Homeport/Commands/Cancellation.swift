public import DeviceControl
internal import DeviceDomain

/// What came of taking a command back.
public struct Cancellation: Hashable, Sendable {
    /// The command as it stands.
    public let record: CommandRecord
    /// Why it was not stopped, or why that is not known; `nil` where it was.
    public let reason: String?
    /// Whether nobody knows if the device stopped it: it was asked to, and did not answer.
    public let isUndecided: Bool

    init(record: CommandRecord, reason: String? = nil, isUndecided: Bool = false) {
        self.record = record
        self.reason = reason
        self.isUndecided = isUndecided
    }

    /// What came of asking the device.
    /// - Parameter answer: the command that asked it, as it ended.
    init(of record: CommandRecord, answer: CommandRecord) {
        let message = answer.progress.message
        let reason = message.isEmpty ? answer.state.rawValue : message
        switch (record.state, answer.state) {
        case (.cancelled, _): self.init(record: record)
        case (_, .unknown):
            self.init(
                record: record,
                reason:
                    "whether \(record.intent.device) stopped \(record.id) is not known: \(reason); "
                    + "'homeport resolve' asks it",
                isUndecided: true)
        default:
            self.init(
                record: record,
                reason: "\(record.intent.device) did not stop \(record.id): \(reason)")
        }
    }

    /// What the link keeps is for its device to apply; nothing tells whether it has done so already.
    static func refused(_ record: CommandRecord) -> Cancellation {
        let (name, device) = (record.intent.name.rawValue, record.intent.device)
        return Cancellation(
            record: record,
            reason: "\(name) is kept for \(device), which may apply it at any time; send \(name) "
                + "with the value that you want instead")
    }
}
