/// The topic aliases of one connection (MQTT 5, section 3.3.2.3.4). A value type.
///
/// Aliases are assigned in turn: when all are in use, the oldest is reassigned.
struct TopicAliases {
    /// The alias of a topic.
    struct Alias: Equatable {
        var number: UInt16
        /// Whether the broker knows the alias, so that the topic can be left out.
        var isKnown: Bool
    }

    /// The highest alias; 0 is none.
    private let maximum: Int
    /// In the order of their aliases, from 1 on.
    private var topics: [MQTTTopic] = []
    private var numbers: [MQTTTopic: Int] = [:]
    private var next = 1

    init(maximum: UInt16 = 0) {
        self.maximum = Int(maximum)
    }

    /// The alias for a topic, if there is one. After sending an alias that the broker did not know, report
    /// ``introduced(_:)``.
    func alias(for topic: MQTTTopic) -> Alias? {
        guard maximum > 0 else { return nil }
        let known = numbers[topic]
        return Alias(number: UInt16(known ?? next), isKnown: known != nil)
    }

    /// The next alias for the topic was sent to the broker.
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
