public import DeviceDomain

/// How one command is to be sent.
public struct CommandOptions: Hashable, Sendable {
    /// How long it may wait for its start; `nil` lets the device's offline policy decide while the
    /// device is offline, and 30 s otherwise.
    public var lifetime: Duration?
    /// The revision that the device's state must have. Where the device needs one and none is
    /// given, it is the last one that is known.
    public var ifRevision: Int?
    /// What links it to other commands.
    public var cause: String?
    /// Whether only the checks are to run.
    public var isDryRun: Bool

    /// How long a command may wait for its start if nothing says otherwise.
    public static let usualLifetime = Duration.seconds(30)
    /// What the protocol allows (PROTOCOL section 2).
    public static let allowedLifetimes = Duration.milliseconds(1) ... .seconds(86_400)

    /// How long the command may wait for a device that is away, if the user says nothing; `nil` where the
    /// policy names no time. A setting waits as long as the protocol allows.
    public func waitingTime(under policy: OfflinePolicy) -> Duration? {
        switch policy {
        case .expire(let time): time
        case .latest where !isDryRun: Self.allowedLifetimes.upperBound
        case .desired where !isDryRun && ifRevision == nil: Self.allowedLifetimes.upperBound
        case .desired, .failFast, .latest, .barrier: nil
        }
    }

    /// The policy of a command while its device is offline. A setting whose start has a limit waits in the
    /// ledger, because what the link keeps is applied whenever the device returns.
    func policy(_ policy: OfflinePolicy) -> OfflinePolicy {
        guard policy == .desired, let lifetime, lifetime < Self.allowedLifetimes.upperBound else {
            return policy
        }
        return .latest
    }

    public init(
        lifetime: Duration? = nil, ifRevision: Int? = nil, cause: String? = nil,
        isDryRun: Bool = false
    ) {
        self.lifetime = lifetime
        self.ifRevision = ifRevision
        self.cause = cause
        self.isDryRun = isDryRun
    }
}
