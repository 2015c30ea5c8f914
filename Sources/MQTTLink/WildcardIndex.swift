internal import MQTTClient

/// Finds the wildcard filters that cover a filter, among thousands: they are indexed by the levels
/// before their first wildcard.
struct WildcardIndex: Sendable {
    private var filters: [[UInt8]: [MQTTTopicFilter]] = [:]

    mutating func insert(_ filter: MQTTTopicFilter) {
        filters[Self.literalLevels(of: filter), default: []].append(filter)
    }

    mutating func remove(_ filter: MQTTTopicFilter) {
        let key = Self.literalLevels(of: filter)
        filters[key]?.removeAll { $0 == filter }
        if filters[key]?.isEmpty == true { filters[key] = nil }
    }

    /// Whether one of the indexed filters for which `holds` is true covers a filter.
    func isCovered(
        _ filter: MQTTTopicFilter, where holds: (MQTTTopicFilter) -> Bool
    ) -> Bool {
        guard !filters.isEmpty else { return false }
        let bytes = Array(filter.rawValue.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") } + [bytes.count]
        return ([0] + ends).contains { end in
            filters[Array(bytes[..<end])]?.contains { holds($0) && $0.covers(filter) } ?? false
        }
    }

    /// For example `homeport/v1` of `homeport/v1/+/state`; empty if the first level is a wildcard.
    private static func literalLevels(of filter: MQTTTopicFilter) -> [UInt8] {
        let bytes = Array(filter.rawValue.utf8)
        let wildcard = bytes.firstIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
        return Array(bytes[..<(wildcard ?? bytes.count)].dropLast())
    }
}
