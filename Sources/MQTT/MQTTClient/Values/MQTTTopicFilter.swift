/// A topic filter: a topic with optional wildcards `+` and `#`, optionally shared (`$share/group/filter`).
public struct MQTTTopicFilter: Sendable, Hashable, CustomStringConvertible {
    /// The filter as it is sent to the broker.
    public let rawValue: String
    /// The byte offset of the part that is matched against topics, after `$share/group/`.
    private let patternOffset: Int

    /// Throws `invalidArgument` for misplaced wildcards, an incomplete `$share`, and characters that MQTT does
    /// not allow.
    public init(_ rawValue: String) throws(MQTTError) {
        try MQTTString.validate(rawValue, as: "topic filter")
        self.rawValue = rawValue
        self.patternOffset = try Self.patternOffset(of: rawValue)
        try Self.validateWildcards(in: rawValue.utf8.dropFirst(patternOffset), of: rawValue)
    }

    /// The filter that matches exactly one topic.
    public init(_ topic: MQTTTopic) {
        self.rawValue = topic.rawValue
        self.patternOffset = 0
    }

    /// Whether the broker divides the messages among the subscribers of a group.
    public var isShared: Bool { patternOffset > 0 }

    /// The part that is matched against topics.
    var pattern: Substring.UTF8View { rawValue.utf8.dropFirst(patternOffset) }

    /// Whether it contains `+` or `#`.
    public var hasWildcard: Bool { !MQTTTopic.hasNoWildcard(rawValue) }

    public var description: String { rawValue }

    /// Whether the bytes are equal, as a broker compares filters.
    public static func == (left: Self, right: Self) -> Bool {
        MQTTString.areIdentical(left.rawValue, right.rawValue)
    }

    public func hash(into hasher: inout Hasher) {
        MQTTString.hash(rawValue, into: &hasher)
    }

    /// Whether the broker would deliver `topic` for this filter (MQTT 5, section 4.7).
    public func matches(_ topic: MQTTTopic) -> Bool {
        var pattern = pattern.makeIterator()
        var name = topic.rawValue.utf8.makeIterator()
        var nameByte = name.next()
        if nameByte == .dollar, startsWithWildcard { return false }
        while let byte = pattern.next() {
            if byte == .hash { return true }
            if byte == .plus {
                while let level = nameByte, level != .slash { nameByte = name.next() }
                continue
            }
            // "a/#" also matches its parent "a".
            guard let other = nameByte else { return byte == .slash && pattern.next() == .hash }
            guard byte == other else { return false }
            nameByte = name.next()
        }
        return nameByte == nil
    }

    private var startsWithWildcard: Bool {
        let first = pattern.first
        return first == .hash || first == .plus
    }

    private static func patternOffset(of filter: String) throws(MQTTError) -> Int {
        let prefix = "$share/"
        guard filter.hasPrefix(prefix) else { return 0 }
        let group = filter.utf8.dropFirst(prefix.utf8.count).prefix { $0 != .slash }
        let offset = prefix.utf8.count + group.count + 1
        guard !group.isEmpty, !group.contains(.plus), !group.contains(.hash),
            offset < filter.utf8.count
        else {
            throw .invalid("filter \"\(filter)\" is not $share/group/filter with a plain group")
        }
        return offset
    }

    private static func validateWildcards(
        in pattern: Substring.UTF8View, of filter: String
    ) throws(MQTTError) {
        var previous = UInt8.slash
        for (position, byte) in zip(pattern.indices, pattern) {
            let next = pattern.index(after: position)
            let following = next < pattern.endIndex ? pattern[next] : nil
            if byte == .hash, previous != .slash || following != nil {
                throw .invalid("filter \"\(filter)\": # must be the whole last level")
            }
            if byte == .plus, previous != .slash || (following ?? .slash) != .slash {
                throw .invalid("filter \"\(filter)\": + must be a whole level")
            }
            previous = byte
        }
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let plus = UInt8(ascii: "+")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let dollar = UInt8(ascii: "$")
}
