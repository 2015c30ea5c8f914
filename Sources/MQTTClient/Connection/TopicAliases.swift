/// The numbers that stand for topics on one connection (MQTT 5, section 3.3.2.3.4). A value.
///
/// They are given in turn: where there are more topics than numbers, the oldest loses its own.
struct TopicAliases {
    /// The number of a topic.
    struct Alias: Equatable {
        var number: UInt16
        /// Whether the broker knows it, so that the topic can be left out.
        var isKnown: Bool
    }

    /// The highest number; 0 is none.
    private let maximum: Int
    /// Behind number 1.
    private var topics: [MQTTTopic] = []
    private var numbers: [MQTTTopic: Int] = [:]
    private var next = 1

    init(maximum: UInt16 = 0) {
        self.maximum = Int(maximum)
    }

    /// The alias to publish under the topic with, if there is any; report ``introduced(_:)`` for one that
    /// was not known and went to the broker.
    func alias(for topic: MQTTTopic) -> Alias? {
        guard maximum > 0 else { return nil }
        let known = numbers[topic]
        return Alias(number: UInt16(known ?? next), isKnown: known != nil)
    }

    /// The broker was given the next number for the topic.
    mutating func introduced(_ topic: MQTTTopic) {
        if topics.count < next {
            topics.append(topic)
        } else {
            numbers[topics[next - 1]] = nil
            topics[next - 1] = topic
        }
        numbers[topic] = next
        next = next % maximum + 1
    }
}
