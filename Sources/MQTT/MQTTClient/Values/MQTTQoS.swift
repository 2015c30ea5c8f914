/// The quality of service of a message.
public enum MQTTQoS: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// No acknowledgement: the message may be lost.
    case atMostOnce = 0
    /// Acknowledged by PUBACK: the message may arrive more than once.
    case atLeastOnce = 1
    /// Four packets per message. The wrapped library loses unfinished exchanges with the connection: then a
    /// message may be lost, or be at the broker although its publish has failed. If that matters, prefer
    /// ``atLeastOnce`` and identifiers in the payload; Properties.md has the cases.
    case exactlyOnce = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
