/// How fast the connections of one event loop may come back together: a token bucket that every attempt
/// after a failure takes from. First attempts are not charged; they come as fast as the application
/// starts them.
///
/// The default lets 50 attempts go at once and 100 a second after that, so that ten thousand clients in
/// two processes come back within 50 s at no more than 300 CONNECTs in any second.
public struct MQTTReconnectBudget: Sendable, Hashable {
    /// Attempts per second over a long time; what is less than one in a thousand seconds is taken for that.
    public var perSecond: Double { didSet { perSecond = Self.rate(perSecond) } }
    /// How many may go at once after a quiet time; what is below 1 is taken for 1.
    public var burst: Int { didSet { burst = max(burst, 1) } }

    public init(perSecond: Double = 100, burst: Int = 50) {
        self.perSecond = Self.rate(perSecond)
        self.burst = max(burst, 1)
    }

    /// Also for what is not a number.
    private static func rate(_ perSecond: Double) -> Double {
        perSecond > 0.001 ? perSecond : 0.001
    }

    /// No limit but that of outstanding attempts.
    public static let unlimited = Self(perSecond: .infinity)

    /// The time between two attempts, nanoseconds.
    var interval: UInt64 { UInt64(1_000_000_000 / perSecond) }
}
