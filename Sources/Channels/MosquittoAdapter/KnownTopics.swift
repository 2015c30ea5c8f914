internal import DeviceTopics

/// A cache of parsed topics: a device always publishes on the same few.
struct KnownTopics {
    /// The most topics in the cache.
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
