public import DeviceDomain

/// How an attempt to bring a Matter device in ended.
public struct CommissioningResult: Hashable, Sendable {
    /// Which attempt.
    public let attempt: ProvisioningAttemptID
    /// The device; `nil` where it is in the home no more, or not yet.
    public let device: DeviceID?
    /// How it ended.
    public let ending: ProvisioningEnding
    /// How long the attempt has run in this process.
    public let elapsed: Duration
}
