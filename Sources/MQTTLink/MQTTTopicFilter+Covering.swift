internal import MQTTClient

extension MQTTTopicFilter {
    /// Whether every topic that matches `other` matches this filter too, and they differ.
    func covers(_ other: MQTTTopicFilter) -> Bool {
        guard self != other, !isShared, !other.isShared, hasWildcard else { return false }
        // A wildcard in front does not match the topics that begin with $ (MQTT 5, section 4.7.2).
        guard !startsWithWildcard || other.rawValue.utf8.first != .dollar else { return false }
        return Self.covers(rawValue.utf8.span, other.rawValue.utf8.span)
    }

    private static func covers(_ mine: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        var (i, j) = (0, 0)
        while i < mine.count, mine[i] != .hash {
            if mine[i] == .plus {
                guard j == theirs.count || theirs[j] != .hash else { return false }
                while j < theirs.count, theirs[j] != .slash { j += 1 }
            } else if j == theirs.count {
                // `a/#` matches `a` too.
                return mine[i] == .slash && i + 1 < mine.count && mine[i + 1] == .hash
            } else {
                guard mine[i] == theirs[j] else { return false }
                j += 1
            }
            i += 1
        }
        return i < mine.count || j == theirs.count
    }

    private var startsWithWildcard: Bool {
        let first = rawValue.utf8.first
        return first == .hash || first == .plus
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let dollar = UInt8(ascii: "$")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let plus = UInt8(ascii: "+")
}
