/// A topic name: without wildcards, and valid in every MQTT packet.
public struct MQTTTopic: Sendable, Hashable, CustomStringConvertible {
    /// The topic as it is sent.
    public let rawValue: String

    /// Throws `invalidArgument` for an empty or oversized name, wildcards, NUL and control characters.
    public init(_ rawValue: String) throws(MQTTError) {
        try MQTTString.validate(rawValue, as: "topic")
        guard Self.hasNoWildcard(rawValue) else {
            throw .invalid("topic \"\(rawValue)\" contains + or #: those belong to filters only")
        }
        self.rawValue = rawValue
    }

    /// Creates a topic from a name that is known to be valid.
    package init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// Whether the bytes are equal, as a broker compares topics.
    public static func == (left: Self, right: Self) -> Bool {
        MQTTString.areIdentical(left.rawValue, right.rawValue)
    }

    public func hash(into hasher: inout Hasher) {
        MQTTString.hash(rawValue, into: &hasher)
    }

    static func hasNoWildcard(_ name: String) -> Bool {
        !name.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
    }
}
