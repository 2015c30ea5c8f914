/// Limits the rate at which the connections of one event loop reconnect: a token bucket from which every
/// attempt after a failure takes a token. First attempts take none.
///
/// The default allows 50 attempts at once and then 100 per second, so that ten thousand clients in two
/// processes reconnect within 50 s with no more than 300 CONNECTs in any second.
public struct MQTTReconnectBudget: Sendable, Hashable {
    /// The long-term rate, attempts per second. The smallest rate is one per thousand seconds.
    public var perSecond: Double { didSet { perSecond = Self.rate(perSecond) } }
    /// How many attempts may start at once after a quiet period, at least 1.
    public var burst: Int { didSet { burst = max(burst, 1) } }

    /// Whether attempts after a failure also wait for a place among the outstanding attempts of the loop.
    package var waitsForOutstanding = true

    public init(perSecond: Double = 100, burst: Int = 50) {
        self.perSecond = Self.rate(perSecond)
        self.burst = max(burst, 1)
    }

    /// Written so that NaN also becomes the smallest rate.
    private static func rate(_ perSecond: Double) -> Double {
        perSecond > 0.001 ? perSecond : 0.001
    }

    /// No limit besides that of outstanding attempts.
    public static let unlimited = Self(perSecond: .infinity)

    /// No attempt after a failure waits for another connection, as with clients on machines of their own.
    package static let individual: Self = {
        var budget = Self.unlimited
        budget.waitsForOutstanding = false
        return budget
    }()

    /// The time between two attempts, nanoseconds.
    var interval: UInt64 { UInt64(1_000_000_000 / perSecond) }
}
