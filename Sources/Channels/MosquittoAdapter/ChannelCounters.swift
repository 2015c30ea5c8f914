/// The messages that a ``MosquittoChannel`` dropped, by cause. Every number only rises.
public struct ChannelCounters: Hashable, Sendable {
    /// Payloads that the protocol does not allow.
    public internal(set) var malformedPayloads = 0
    /// Messages that were larger than the protocol allows, and were not read.
    public internal(set) var oversizedMessages = 0
    /// Messages whose payload names another device or event than their topic.
    public internal(set) var misaddressedMessages = 0
    /// Messages on topics that are not meant for a reader.
    public internal(set) var foreignTopics = 0
    /// Messages without payload, which clear retained ones.
    public internal(set) var emptyMessages = 0

    public init() {}

    /// The sum of all causes.
    public var total: Int {
        malformedPayloads + oversizedMessages + misaddressedMessages + foreignTopics
            + emptyMessages
    }
}
