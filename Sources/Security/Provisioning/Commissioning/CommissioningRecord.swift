public import DeviceDomain

/// What is known of one attempt to bring a Matter device onto a server. It holds nothing of the device's code.
public struct CommissioningRecord: Hashable, Sendable {
    /// The last step that is certain.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// It has begun.
        case begun
        /// The server was asked to commission the device, or is just being asked.
        case commissioning
        /// The device is a node of the server.
        case finalizing
        /// The device is in the home.
        case provisioned
        /// All was taken back.
        case rolledBack = "rolled-back"
    }

    /// Names the attempt.
    public let attempt: ProvisioningAttemptID
    /// The home.
    public let home: HomeID
    /// The channel whose server takes the device.
    public let channel: ChannelID
    /// Stands for the device's code: a keyed digest.
    public let label: String
    /// When it began (wall clock).
    public let startedAt: Timestamp
    /// The last step that is certain.
    public var step: Step
    /// When the server was asked (wall clock); `nil` before it.
    public var askedAt: Timestamp?
    /// The nodes that the server had before it was asked.
    public var formerNodes: Set<UInt64>
    /// The node that the device is; `nil` before it is known.
    public var node: UInt64?
    /// Rises with every change, from 1.
    public var revision: Int

    public init(
        attempt: ProvisioningAttemptID, home: HomeID, channel: ChannelID, label: String,
        startedAt: Timestamp, step: Step = .begun, askedAt: Timestamp? = nil,
        formerNodes: Set<UInt64> = [], node: UInt64? = nil, revision: Int = 1
    ) {
        self.attempt = attempt
        self.home = home
        self.channel = channel
        self.label = label
        self.startedAt = startedAt
        self.step = step
        self.askedAt = askedAt
        self.formerNodes = formerNodes
        self.node = node
        self.revision = revision
    }

    /// Why an attempt is in its first state.
    var beginning: String { revision == 1 ? "begun" : "resumed after '\(step.rawValue)'" }
}

/// Keeps the steps of attempts, so that a process can go on where another one ended.
///
/// Each method is one transaction, and what it wrote survives a power cut when it returns.
public protocol CommissioningRepository: Sendable {
    /// The last attempt for a device on a channel that was not rolled back; else the last one that was; `nil` if
    /// there is none.
    func latest(
        of label: String, on channel: ChannelID, in home: HomeID
    ) async throws(ProvisioningError) -> CommissioningRecord?

    /// Adds an attempt.
    /// - Throws: ``ProvisioningError`` `otherProcess` if another one is open for the same device.
    func add(_ record: CommissioningRecord) async throws(ProvisioningError)

    /// Replaces an attempt.
    /// - Throws: ``ProvisioningError`` `otherProcess` unless the stored revision is the one before the record's.
    func update(_ record: CommissioningRecord) async throws(ProvisioningError)
}
