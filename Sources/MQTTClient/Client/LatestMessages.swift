private import DequeModule

/// The latest message of each topic, in the order in which the topics first waited.
struct LatestMessages: Sendable {
    private var topics: Deque<MQTTTopic> = []
    private var messages: [MQTTTopic: MQTTMessage] = [:]

    var count: Int { messages.count }

    /// Keeps a message in the place of an earlier one of its topic, which is returned, or behind all
    /// others.
    mutating func put(_ message: MQTTMessage) -> MQTTMessage? {
        let replaced = messages.updateValue(message, forKey: message.topic)
        if replaced == nil { topics.append(message.topic) }
        return replaced
    }

    mutating func popFirst() -> MQTTMessage? {
        topics.popFirst().flatMap { messages.removeValue(forKey: $0) }
    }
}
