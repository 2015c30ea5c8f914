public import MQTTClient

/// A place that messages go to. A sink gets each message once, however many wishes name it.
public final class MQTTSink: Sendable {
    let deliver: @Sendable (MQTTMessage) -> Void
    let skip: @Sendable (MQTTSkippedMessage) -> Void

    /// - Parameters:
    ///   - skip: is told of a message that was dropped because it is too large. Both are called on
    ///     the link's event loop and must return at once.
    ///   - deliver: takes a message.
    public init(
        skip: @escaping @Sendable (MQTTSkippedMessage) -> Void = { _ in },
        deliver: @escaping @Sendable (MQTTMessage) -> Void
    ) {
        self.skip = skip
        self.deliver = deliver
    }

    /// As ``init(skip:deliver:)`` for those who need not know what was dropped.
    public convenience init(_ deliver: @escaping @Sendable (MQTTMessage) -> Void) {
        self.init(deliver: deliver)
    }
}

/// Somebody's wish to hear what matches some filters. It survives the connection.
public struct MQTTWish: Hashable, Sendable {
    let number: Int
}

/// Who gets which messages.
struct FanOut {
    /// How many topics are kept with their sinks.
    private static let knownTopics = 50_000

    private struct Entry {
        let wish: MQTTWish
        let sink: MQTTSink
    }

    private var wishes: [MQTTWish: (filters: [MQTTTopicFilter], sink: MQTTSink)] = [:]
    /// By filters without wildcards: thousands of them must not be searched for each message.
    private var exact: [String: [Entry]] = [:]
    /// Wishes with at least one wildcard.
    private var wide: [MQTTWish: (filters: [MQTTTopicFilter], sink: MQTTSink)] = [:]
    /// The sinks of wildcards that match a topic.
    private var wideSinks: [String: [MQTTSink]] = [:]

    mutating func add(_ wish: MQTTWish, _ filters: [MQTTTopicFilter], to sink: MQTTSink) {
        wishes[wish] = (filters, sink)
        for filter in filters where !filter.hasWildcard {
            exact[filter.rawValue, default: []].append(Entry(wish: wish, sink: sink))
        }
        let wildcards = filters.filter(\.hasWildcard)
        guard !wildcards.isEmpty else { return }
        wide[wish] = (wildcards, sink)
        wideSinks = [:]
    }

    /// - Returns: the filters of the wish.
    mutating func remove(_ wish: MQTTWish) -> [MQTTTopicFilter] {
        let filters = wishes.removeValue(forKey: wish)?.filters ?? []
        for filter in filters where !filter.hasWildcard {
            exact[filter.rawValue]?.removeAll { $0.wish == wish }
            if exact[filter.rawValue]?.isEmpty == true { exact[filter.rawValue] = nil }
        }
        if wide.removeValue(forKey: wish) != nil { wideSinks = [:] }
        return filters
    }

    /// Whether nobody wants anything.
    var isEmpty: Bool { wishes.isEmpty }

    func filters(of wish: MQTTWish) -> [MQTTTopicFilter]? { wishes[wish]?.filters }

    /// Every sink that wants a topic, once.
    mutating func sinks(of topic: MQTTTopic) -> [MQTTSink] {
        var sinks = sinksOfWildcards(matching: topic)
        for entry in exact[topic.rawValue] ?? []
        where !sinks.contains(where: { $0 === entry.sink }) {
            sinks.append(entry.sink)
        }
        return sinks
    }

    private mutating func sinksOfWildcards(matching topic: MQTTTopic) -> [MQTTSink] {
        if let known = wideSinks[topic.rawValue] { return known }
        var sinks: [MQTTSink] = []
        for (filters, sink) in wide.values
        where !sinks.contains(where: { $0 === sink })
            && filters.contains(where: { $0.matches(topic) })
        {
            sinks.append(sink)
        }
        if wideSinks.count >= Self.knownTopics { wideSinks = [:] }
        wideSinks[topic.rawValue] = sinks
        return sinks
    }
}
