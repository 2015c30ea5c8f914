/// What a ``MosquittoChannel`` dropped, and why. Every number only rises.
public struct ChannelCounters: Hashable, Sendable {
    /// Payloads that are none of the protocol.
    public internal(set) var malformedPayloads = 0
    /// Messages whose topic names another device, or another event, than their payload.
    public internal(set) var misaddressedMessages = 0
    /// Messages on topics that are none of a reader's.
    public internal(set) var foreignTopics = 0
    /// Messages without content: retained ones that were cleared.
    public internal(set) var emptyMessages = 0

    public init() {}

    /// All that was dropped.
    public var total: Int {
        malformedPayloads + misaddressedMessages + foreignTopics + emptyMessages
    }
}
