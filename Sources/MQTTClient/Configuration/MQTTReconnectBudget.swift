/// How fast the connections of one event loop may come back together: a token bucket that every attempt
/// after a failure takes from. First attempts are not charged; they come as fast as the application
/// starts them.
///
/// The default lets 50 attempts go at once and 100 a second after that, so that ten thousand clients in
/// two processes come back within 50 s at no more than 300 CONNECTs in any second.
public struct MQTTReconnectBudget: Sendable, Hashable {
    /// Attempts per second over a long time.
    public var perSecond: Double
    /// How many may go at once after a quiet time.
    public var burst: Int

    /// Takes less than one attempt in a thousand seconds for that, and a burst below 1 for 1.
    public init(perSecond: Double = 100, burst: Int = 50) {
        self.perSecond = max(perSecond, 0.001)
        self.burst = max(burst, 1)
    }

    /// No limit but that of outstanding attempts.
    public static let unlimited = Self(perSecond: .infinity)

    /// The time between two attempts, nanoseconds.
    var interval: UInt64 { UInt64(1_000_000_000 / perSecond) }
}
