/// Something that a channel can report or guarantee. Callers must not assume a missing trait: see
/// `CommandLifecycle`.
public enum ChannelTrait: String, Hashable, Sendable, CaseIterable {
    /// The link confirms that it has accepted a command for delivery.
    case delivery
    /// The device reports that it has accepted a command.
    case acceptance
    /// The effect of a command is reported, by the device or by reading its state back.
    case effect
    /// Commands to one device arrive in the order in which they were sent.
    case order
    /// The device recognises a command that is sent again and does not execute it twice.
    case deduplication
    /// The link or the device drops a command whose time to start has passed.
    case expiry
    /// The device can be queried for the outcome of commands.
    case asking
    /// The link keeps settings for a device that is away, and the device applies them when it
    /// returns.
    case desired
}

/// What a channel can report or guarantee.
public typealias ChannelTraits = Set<ChannelTrait>
