extension MQTTTopicFilter {
    /// Whether there is a topic that both match. The groups of shared filters play no part.
    func overlaps(_ other: MQTTTopicFilter) -> Bool {
        let mine = levels
        let theirs = other.levels
        for position in 0...max(mine.count, theirs.count) {
            let left = position < mine.count ? Level(mine[position]) : nil
            let right = position < theirs.count ? Level(theirs[position]) : nil
            // Wildcards in front leave out the topics of the broker's own.
            if position == 0, left?.isWildcard != right?.isWildcard,
                left?.isReserved == true || right?.isReserved == true
            {
                return false
            }
            // "a/#" also matches its parent "a", so the other one may end here.
            if left == .rest || right == .rest { return true }
            guard let left, let right else { return left == nil && right == nil }
            guard left == .any || right == .any || left == right else { return false }
        }
        return true
    }

    private enum Level: Equatable {
        case name([UInt8])
        case any
        case rest

        init(_ bytes: Substring.UTF8View) {
            let bytes = Array(bytes)
            switch bytes {
            case [UInt8(ascii: "+")]: self = .any
            case [UInt8(ascii: "#")]: self = .rest
            default: self = .name(bytes)
            }
        }

        var isWildcard: Bool {
            if case .name = self { false } else { true }
        }

        var isReserved: Bool {
            if case .name(let bytes) = self { bytes.first == UInt8(ascii: "$") } else { false }
        }
    }

    private var levels: [Substring.UTF8View] {
        pattern.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }
}
