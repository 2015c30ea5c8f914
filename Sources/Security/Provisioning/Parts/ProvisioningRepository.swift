public import DeviceDomain

/// Keeps the steps of attempts, so that a process can go on where another one ended.
///
/// Each method is one transaction, and what it wrote survives a power cut when it returns.
public protocol ProvisioningRepository: Sendable {
    /// The last attempt for a boxed device in a home that was not rolled back; else the last one that was;
    /// `nil` if there is none.
    func latest(
        of label: String, in home: HomeID
    ) async throws(ProvisioningError) -> ProvisioningRecord?

    /// Adds an attempt.
    /// - Throws: ``ProvisioningError`` `otherProcess` if another one is open for the same boxed device.
    func add(_ record: ProvisioningRecord) async throws(ProvisioningError)

    /// Replaces an attempt.
    /// - Throws: ``ProvisioningError`` `otherProcess` unless the stored revision is the one before the record's.
    func update(_ record: ProvisioningRecord) async throws(ProvisioningError)
}

/// What is known of one attempt.
public struct ProvisioningRecord: Hashable, Sendable {
    /// The last step that is certain.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// It has begun.
        case begun
        /// A token was made, and perhaps a certificate.
        case claiming
        /// The device has its certificate and network, and was told to join, or is just being told.
        case joining
        /// The device was seen at the broker with its claim, which is committed now.
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
    /// The name in the device's setup code.
    public let label: String
    /// The name that the device gets.
    public let device: DeviceID
    /// When it began (wall clock).
    public let startedAt: Timestamp
    /// The last step that is certain.
    public var step: Step
    /// Identifies the claim; `nil` before it.
    public var nonce: ClaimNonce?
    /// The serial number of the device's certificate; `nil` before it.
    public var serial: String?
    /// Rises with every change, from 1.
    public var revision: Int

    public init(
        attempt: ProvisioningAttemptID, home: HomeID, label: String, device: DeviceID,
        startedAt: Timestamp, step: Step = .begun, nonce: ClaimNonce? = nil, serial: String? = nil,
        revision: Int = 1
    ) {
        self.attempt = attempt
        self.home = home
        self.label = label
        self.device = device
        self.startedAt = startedAt
        self.step = step
        self.nonce = nonce
        self.serial = serial
        self.revision = revision
    }
}
