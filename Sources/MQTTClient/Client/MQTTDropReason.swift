/// Why a message never arrived where it was meant to; the set is open.
public struct MQTTDropReason: RawRepresentable, Sendable, Hashable {
    /// The value of the label `reason` in metrics.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    // Inbound

    /// The ``MQTTBufferPolicy`` of a subscription dropped it: its consumer was too slow.
    public static let bufferOverflow = Self(rawValue: "buffer-overflow")
    /// Its topic contains wildcards, which no broker may send.
    public static let unusableTopic = Self(rawValue: "unusable-topic")
    /// Over MQTT 3.1.1: larger than ``MQTTConfiguration/maximumPacketSize``.
    public static let tooLarge = Self(rawValue: "too-large")
    /// No subscription asks for it any more.
    public static let unmatched = Self(rawValue: "unmatched")
    /// An answer to a request that nobody waits for any more.
    public static let lateResponse = Self(rawValue: "late-response")

    // Outbound

    /// It was not taken: the outbox was full, there was no connection, or the broker had said that it
    /// does not accept such a message. Whoever published it was told.
    public static let notTaken = Self(rawValue: "not-taken")
    /// It was taken, and the connection ended before the broker answered. The broker may have it, unless
    /// it still waited behind ``MQTTConfiguration/sendMaximum``: the error of its publish and the drain
    /// report tell those apart.
    public static let unanswered = Self(rawValue: "unanswered")
}

/// How many messages were dropped, by reason.
public struct MQTTDropCounts: Sendable, Hashable {
    private var counts: [MQTTDropReason: Int] = [:]

    public init() {}

    /// Messages dropped for that reason.
    public subscript(reason: MQTTDropReason) -> Int { counts[reason, default: 0] }

    /// Messages dropped for any reason.
    public var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ count: Int, _ reason: MQTTDropReason) {
        counts[reason, default: 0] += count
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.counts.merge(right.counts, uniquingKeysWith: +)
        return sum
    }
}
