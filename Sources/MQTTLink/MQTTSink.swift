public import MQTTClient

/// A place that messages go to. A sink gets each message once, however many wishes name it.
public final class MQTTSink: Sendable {
    let deliver: @Sendable (MQTTMessage) -> Void

    /// - Parameter deliver: takes a message on the link's event loop; it must return at once.
    public init(_ deliver: @escaping @Sendable (MQTTMessage) -> Void) { self.deliver = deliver }
}

/// Somebody's wish to hear what matches some filters. It survives the connection.
public struct MQTTWish: Hashable, Sendable {
    let number: Int
}

/// Who gets which messages.
struct FanOut {
    /// How many topics are kept with their sinks.
    private static let knownTopics = 50_000

    private var wishes: [MQTTWish: (filters: [MQTTTopicFilter], sink: MQTTSink)] = [:]
    private var sinksOfTopics: [String: [MQTTSink]] = [:]

    mutating func add(_ wish: MQTTWish, _ filters: [MQTTTopicFilter], to sink: MQTTSink) {
        wishes[wish] = (filters, sink)
        sinksOfTopics = [:]
    }

    /// - Returns: the filters of the wish.
    mutating func remove(_ wish: MQTTWish) -> [MQTTTopicFilter] {
        sinksOfTopics = [:]
        return wishes.removeValue(forKey: wish)?.filters ?? []
    }

    /// Whether nobody wants anything.
    var isEmpty: Bool { wishes.isEmpty }

    func filters(of wish: MQTTWish) -> [MQTTTopicFilter]? { wishes[wish]?.filters }

    /// Every sink that wants a topic, once.
    mutating func sinks(of topic: MQTTTopic) -> [MQTTSink] {
        if let known = sinksOfTopics[topic.rawValue] { return known }
        var sinks: [MQTTSink] = []
        for (filters, sink) in wishes.values
        where !sinks.contains(where: { $0 === sink })
            && filters.contains(where: { $0.matches(topic) })
        {
            sinks.append(sink)
        }
        if sinksOfTopics.count >= Self.knownTopics { sinksOfTopics = [:] }
        sinksOfTopics[topic.rawValue] = sinks
        return sinks
    }
}
