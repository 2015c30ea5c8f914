/// The delays between reconnect attempts: full jitter, `random(0 … min(cap, initial · 2ⁿ))`, plus a minimum
/// that depends on the cause.
public struct MQTTReconnectPolicy: Sendable, Hashable {
    /// The upper bound of the first delay.
    public var initial: Duration
    /// The upper bound of the first delay after an accepted connection broke, if larger than ``initial``.
    /// Spreads the reconnects of a fleet whose broker is back at once: 5 s for hundreds of clients, 60 s for
    /// ten thousand.
    public var spread: Duration
    /// The upper bound of the random part of every delay. The minimum before it is at most 5 s, but
    /// up to `cap` after repeated TLS failures and after repeated closes soon after CONNACK.
    public var cap: Duration
    /// How long a connection must last for its next failure to count as the first again.
    public var stableAfter: Duration
    /// Whether to reconnect at all.
    public var isEnabled: Bool
    /// What the delays are made of. Simulated devices have rules of their own.
    package var delays = Delays.considerate

    /// Whether to reconnect also when the broker says that another client has the id. Two clients that do
    /// displace each other for ever.
    package var outlivesTakeovers = false

    /// What the delays between attempts are made of.
    package enum Delays: Hashable, Sendable {
        /// Full jitter and the minimum of the cause, as the type says.
        case considerate
        /// Always ``MQTTReconnectPolicy/initial``, whatever the cause.
        case fixed
        /// ``MQTTReconnectPolicy/initial``, doubled with each failure up to ``MQTTReconnectPolicy/cap``,
        /// whatever the cause.
        case doubling
        /// From zero to the delay of `doubling`, whatever the cause, drawn from a sequence with this seed.
        case jittered(seed: UInt64)
    }

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

    /// No reconnects: the first failure is final.
    public static let never: Self = {
        var policy = Self()
        policy.isEnabled = false
        return policy
    }()
}
