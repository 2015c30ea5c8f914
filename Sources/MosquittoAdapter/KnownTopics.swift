internal import DeviceTopics

/// Topics that were parsed before: a device speaks on the same few for ever.
struct KnownTopics {
    /// How many are kept.
    private static let limit = 50_000

    private var topics: [String: DeviceTopic] = [:]

    mutating func topic(_ text: String) throws(TopicError) -> DeviceTopic {
        if let known = topics[text] { return known }
        let topic = try DeviceTopic(text)
        if topics.count >= Self.limit { topics = [:] }
        topics[text] = topic
        return topic
    }
}
