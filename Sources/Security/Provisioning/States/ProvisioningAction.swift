/// What the owner of a ``ProvisioningStateMachine`` is to do next; it reports how that ended.
public enum ProvisioningAction: Hashable, Sendable {
    /// Look for the device until it is found.
    case find
    /// Open a session with the device.
    case connect
    /// Claim the device, and have it join the Wi-Fi network.
    case send
    /// Wait for the device at the broker, and ask it how far it is.
    case confirm
    /// Commit the claim, and take the certificate into use.
    case commit
    /// Take back what was done.
    case rollBack
    /// Nothing: the attempt has ended this way.
    case end(ProvisioningEnding)
}

/// The longest that a try of each state lasts (the defaults of the vendor's managers, and for the
/// confirmation a broker that is slow).
public struct ProvisioningTimeouts: Hashable, Sendable {
    /// All of scanning.
    public var scanning = Duration.seconds(60)
    /// One connection to the access point.
    public var connecting = Duration.seconds(30)
    /// One sending of the credentials.
    public var sending = Duration.seconds(20)
    /// From the credentials to the device's presence at the broker.
    public var confirming = Duration.seconds(90)
    /// The commit.
    public var finalizing = Duration.seconds(30)
    /// Taking back what was done: up to ``connecting`` for the device, whose part may fail, and 15 s for the home.
    public var rollingBack = Duration.seconds(45)

    /// The defaults.
    public init() {}

    /// The time of one try of an action; `nil` where there is nothing to do.
    func limit(of action: ProvisioningAction) -> Duration? {
        switch action {
        case .find: scanning
        case .connect: connecting
        case .send: sending
        case .confirm: confirming
        case .commit: finalizing
        case .rollBack: rollingBack
        case .end: nil
        }
    }
}
