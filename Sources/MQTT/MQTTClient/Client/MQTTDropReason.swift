/// Why a message was dropped; the set is open.
public struct MQTTDropReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public var description: String { rawValue }
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
    /// No subscription matches it any more.
    public static let unmatched = Self(rawValue: "unmatched")
    /// A response to a request that has already ended.
    public static let lateResponse = Self(rawValue: "late-response")

    // Outbound

    /// It was refused: the outbox was full, there was no connection, or the broker does not accept such a
    /// message. The publisher got an error.
    public static let notTaken = Self(rawValue: "not-taken")
    /// It was accepted, and the connection ended before the broker answered. The broker may have it, unless
    /// it was still queued behind ``MQTTConfiguration/sendMaximum``; the error of its publish and the drain
    /// report distinguish the two.
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
