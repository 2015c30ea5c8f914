internal import MQTTClient

/// Which sinks get which messages.
struct FanOut {
    /// How many topics the cache of wildcard matches holds.
    private static let cachedTopics = 50_000

    private typealias Wildcard = (
        subscription: MQTTLinkSubscription, filter: MQTTTopicFilter, sink: MQTTSink
    )
    private typealias Receiver = (filters: [MQTTTopicFilter], sink: MQTTSink)

    private var receivers: [MQTTLinkSubscription: Receiver] = [:]
    /// The receivers of filters without wildcards. There may be thousands, too many to search for each
    /// message.
    private var exact: [String: [(subscription: MQTTLinkSubscription, sink: MQTTSink)]] = [:]
    /// The filters with wildcards by the levels before their first one, as there may be thousands too.
    private var wildcards: [[UInt8]: [Wildcard]] = [:]
    /// The sinks of `wildcards` that match a topic.
    private var wildcardSinks: [String: [MQTTSink]] = [:]

    mutating func add(
        _ subscription: MQTTLinkSubscription, _ filters: [MQTTTopicFilter], to sink: MQTTSink
    ) {
        receivers[subscription] = (filters, sink)
        for filter in filters {
            if filter.hasWildcard {
                wildcards[Self.key(of: filter), default: []].append((subscription, filter, sink))
                wildcardSinks = [:]
            } else {
                exact[filter.rawValue, default: []].append((subscription, sink))
            }
        }
    }

    /// The topics of a shared filter do not begin as the filter does.
    private static func key(of filter: MQTTTopicFilter) -> [UInt8] {
        filter.isShared ? [] : WildcardIndex.literalLevels(of: filter)
    }

    /// - Returns: the filters of the subscription.
    mutating func remove(_ subscription: MQTTLinkSubscription) -> [MQTTTopicFilter] {
        let filters = receivers.removeValue(forKey: subscription)?.filters ?? []
        for filter in filters {
            if filter.hasWildcard {
                let key = Self.key(of: filter)
                wildcards[key]?.removeAll { $0.subscription == subscription }
                if wildcards[key]?.isEmpty == true { wildcards[key] = nil }
                wildcardSinks = [:]
            } else {
                exact[filter.rawValue]?.removeAll { $0.subscription == subscription }
                if exact[filter.rawValue]?.isEmpty == true { exact[filter.rawValue] = nil }
            }
        }
        return filters
    }

    var isEmpty: Bool { receivers.isEmpty }

    func filters(of subscription: MQTTLinkSubscription) -> [MQTTTopicFilter]? {
        receivers[subscription]?.filters
    }

    /// Every sink with a filter that matches a topic, once.
    mutating func sinks(of topic: MQTTTopic) -> [MQTTSink] {
        var sinks = sinksOfWildcards(matching: topic)
        for (_, sink) in exact[topic.rawValue] ?? [] where !sinks.contains(where: { $0 === sink }) {
            sinks.append(sink)
        }
        return sinks
    }

    private mutating func sinksOfWildcards(matching topic: MQTTTopic) -> [MQTTSink] {
        guard !wildcards.isEmpty else { return [] }
        if let known = wildcardSinks[topic.rawValue] { return known }
        var sinks: [MQTTSink] = []
        let candidates = WildcardIndex.literalLevels(of: topic).compactMap { wildcards[$0] }
        for (_, filter, sink) in candidates.joined()
        where !sinks.contains(where: { $0 === sink }) && filter.matches(topic) {
            sinks.append(sink)
        }
        if wildcardSinks.count >= Self.cachedTopics { wildcardSinks = [:] }
        wildcardSinks[topic.rawValue] = sinks
        return sinks
    }
}
