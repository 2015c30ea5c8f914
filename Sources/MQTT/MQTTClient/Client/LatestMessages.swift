private import DequeModule

/// The latest message of each topic, in the order in which the topics were first queued.
struct LatestMessages: Sendable {
    private var topics: Deque<MQTTTopic> = []
    private var messages: [MQTTTopic: MQTTMessage] = [:]

    var count: Int { messages.count }

    /// Replaces an earlier message of the same topic, which is returned, or appends the message.
    mutating func put(_ message: MQTTMessage) -> MQTTMessage? {
        let replaced = messages.updateValue(message, forKey: message.topic)
        if replaced == nil { topics.append(message.topic) }
        return replaced
    }

    mutating func popFirst() -> MQTTMessage? {
        topics.popFirst().flatMap { messages.removeValue(forKey: $0) }
    }
}
