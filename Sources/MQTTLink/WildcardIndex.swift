internal import MQTTClient

/// Finds the wildcard filters that cover a filter, among thousands: they are indexed by the levels
/// before their first wildcard.
struct WildcardIndex: Sendable {
    private var filters: [[UInt8]: [MQTTTopicFilter]] = [:]
    /// How many keys of `filters` have which length: most levels of a filter need no look-up.
    private var lengths: [Int: Int] = [:]

    mutating func insert(_ filter: MQTTTopicFilter) {
        let key = Self.literalLevels(of: filter)
        if filters[key] == nil { lengths[key.count, default: 0] += 1 }
        filters[key, default: []].append(filter)
    }

    mutating func remove(_ filter: MQTTTopicFilter) {
        let key = Self.literalLevels(of: filter)
        filters[key]?.removeAll { $0 == filter }
        guard filters[key]?.isEmpty == true else { return }
        filters[key] = nil
        lengths[key.count] = lengths[key.count].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Whether one of the indexed filters for which `holds` is true covers a filter.
    func isCovered(
        _ filter: MQTTTopicFilter, where holds: (MQTTTopicFilter) -> Bool
    ) -> Bool {
        guard !filters.isEmpty else { return false }
        let bytes = Array(filter.rawValue.utf8)
        return (0...bytes.count).contains { end in
            guard Self.isLevel(end, in: bytes), lengths[end] != nil else { return false }
            return filters[Array(bytes[..<end])]?.contains { holds($0) && $0.covers(filter) }
                ?? false
        }
    }

    /// The literal levels that a filter with a wildcard may have in front, if it matches a topic: those of
    /// the topic, from none to all of them.
    static func literalLevels(of topic: MQTTTopic) -> [[UInt8]] {
        let bytes = Array(topic.rawValue.utf8)
        return (0...bytes.count).filter { isLevel($0, in: bytes) }.map { Array(bytes[..<$0]) }
    }

    private static func isLevel(_ end: Int, in bytes: [UInt8]) -> Bool {
        end == 0 || end == bytes.count || bytes[end] == UInt8(ascii: "/")
    }

    /// For example `homeport/v1` of `homeport/v1/+/state`; empty if the first level is a wildcard.
    static func literalLevels(of filter: MQTTTopicFilter) -> [UInt8] {
        let bytes = Array(filter.rawValue.utf8)
        let wildcard = bytes.firstIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
        return Array(bytes[..<(wildcard ?? bytes.count)].dropLast())
    }
}
