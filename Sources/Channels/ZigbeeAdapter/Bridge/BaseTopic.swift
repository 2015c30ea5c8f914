public import MQTTClient

/// The prefix of every topic of one zigbee2mqtt bridge: its setting `mqtt.base_topic`.
public struct BaseTopic: Hashable, Sendable {
    /// The topic, without a slash at either end.
    public let text: String
    private let prefix: [UInt8]

    /// - Throws: `invalidArgument` if the text is empty, begins or ends with a slash, or contains characters
    ///   that topics may not contain.
    public init(_ text: String) throws(MQTTError) {
        let isDelimited = text.hasPrefix("/") || text.hasSuffix("/")
        guard !isDelimited, (try? MQTTTopic(text)) != nil else {
            throw MQTTError(
                .invalidArgument,
                "base topic \(text.debugDescription) is not valid: write the setting "
                    + "mqtt.base_topic of zigbee2mqtt, without + # and control characters, and "
                    + "without a slash at either end")
        }
        self.text = text
        prefix = Array(text.utf8) + [UInt8(ascii: "/")]
    }

    /// The part of a topic after the base; `nil` for a topic that does not begin with it.
    func suffix(of topic: String) -> String? {
        guard topic.utf8.starts(with: prefix) else { return nil }
        return String(decoding: topic.utf8.dropFirst(prefix.count), as: UTF8.self)
    }

    /// A topic below the base.
    /// - Throws: `invalidArgument` if MQTT does not allow the topic.
    func topic(_ suffix: String) throws(MQTTError) -> MQTTTopic {
        try MQTTTopic("\(text)/\(suffix)")
    }

    /// Everything below the base, in one filter because names may have any number of levels.
    func everything() throws(MQTTError) -> MQTTTopicFilter {
        try MQTTTopicFilter("\(text)/#")
    }
}
