/// When a broken connection is made again: full jitter, `random(0 … min(cap, initial · 2ⁿ))`, above
/// a floor that depends on the cause.
public struct MQTTReconnectPolicy: Sendable, Hashable {
    /// The upper bound of the first delay.
    public var initial: Duration
    /// The upper bound of the first delay after an accepted connection broke, if larger than ``initial``.
    /// A fleet whose broker is back at once returns spread over this time: 5 s for hundreds of clients,
    /// 60 s for ten thousand.
    public var spread: Duration
    /// The upper bound of the random part of every delay. The floor in front of it is at most 5 s, but
    /// up to `cap` after repeated TLS failures and repeated closes soon after CONNACK.
    public var cap: Duration
    /// How long a connection must hold before the next break counts as the first again.
    public var stableAfter: Duration
    /// Whether there is a retry at all.
    public var isEnabled: Bool

    public init(
        initial: Duration = .seconds(1), spread: Duration = .zero, cap: Duration = .seconds(60),
        stableAfter: Duration = .seconds(30)
    ) {
        self.initial = initial
        self.spread = spread
        self.cap = cap
        self.stableAfter = stableAfter
        self.isEnabled = true
    }

    /// The first failure is the last.
    public static let never: Self = {
        var policy = Self()
        policy.isEnabled = false
        return policy
    }()
}
