/// How often a message may arrive.
public enum MQTTQoS: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// No acknowledgement: the message may be lost.
    case atMostOnce = 0
    /// Acknowledged by PUBACK: the message may arrive more than once.
    case atLeastOnce = 1
    /// Four packets per message. The wrapped library forgets the exchange with its connection: a message
    /// may be lost then, or at the broker although its publish has failed. Prefer ``atLeastOnce`` and
    /// identifiers of your own where it matters; Properties.md has the cases.
    case exactlyOnce = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
