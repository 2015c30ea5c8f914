/// The messages that an ``AlinkChannel`` could not use, by cause. Every number only rises.
public struct AlinkCounters: Hashable, Sendable {
    /// Payloads that are not of Alink.
    public internal(set) var malformedPayloads = 0
    /// Messages that were too large, and were not read.
    public internal(set) var oversizedMessages = 0
    /// Replies to no command that waits for one: late ones, repeated ones, those of other controllers.
    public internal(set) var strayReplies = 0
    /// Events that the thing model does not have.
    public internal(set) var unknownEvents = 0
    /// Devices beyond the limit, which are not listed.
    public internal(set) var droppedDevices = 0

    public init() {}
}
