/// The messages that a ``ZigbeeChannel`` could not use, by cause. Every number only rises.
public struct ZigbeeCounters: Hashable, Sendable {
    /// Payloads that zigbee2mqtt would not publish.
    public internal(set) var malformedPayloads = 0
    /// Messages of the bridge and its devices that were too large, and were not read.
    public internal(set) var oversizedMessages = 0
    /// Entries of the bridge's list that cannot be read.
    public internal(set) var unusableEntries = 0
    /// Messages of names that the bridge has not listed, beyond those that are kept for its next list,
    /// and oversized messages that belong to no device.
    public internal(set) var droppedMessages = 0
    /// Lines of the bridge's log that could be about more than one command.
    public internal(set) var ambiguousErrors = 0

    public init() {}
}
