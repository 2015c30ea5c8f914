internal import MQTTClient

extension MQTTTopicFilter {
    /// Whether every topic that matches `other` matches this filter too, and they differ.
    func covers(_ other: MQTTTopicFilter) -> Bool {
        guard self != other, !isShared, !other.isShared, hasWildcard else { return false }
        // A wildcard in front does not match the topics that begin with $ (MQTT 5, section 4.7.2).
        guard !startsWithWildcard || other.rawValue.utf8.first != .dollar else { return false }
        var theirs = other.rawValue.utf8.split(separator: .slash, omittingEmptySubsequences: false)[
            ...]
        for level in rawValue.utf8.split(separator: .slash, omittingEmptySubsequences: false) {
            if level.elementsEqual("#".utf8) { return true }
            guard let their = theirs.popFirst(), !their.elementsEqual("#".utf8) else {
                return false
            }
            guard level.elementsEqual("+".utf8) || level.elementsEqual(their) else { return false }
        }
        return theirs.isEmpty
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
