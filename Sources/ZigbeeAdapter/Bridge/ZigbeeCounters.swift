/// What a ``ZigbeeChannel`` could not use, and why. Every number only rises.
public struct ZigbeeCounters: Hashable, Sendable {
    /// Payloads that are not what zigbee2mqtt publishes.
    public internal(set) var malformedPayloads = 0
    /// Entries of the bridge's list that cannot be read.
    public internal(set) var unusableEntries = 0
    /// Messages of names that the bridge has not listed, for which there was no room.
    public internal(set) var droppedMessages = 0
    /// Lines of the bridge's log that could be about more than one command.
    public internal(set) var ambiguousComplaints = 0

    public init() {}
}
