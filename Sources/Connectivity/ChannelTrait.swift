/// Something that a channel can honestly report or promise. What is missing is not pretended by the
/// rooms above: see `CommandLifecycle`.
public enum ChannelTrait: String, Hashable, Sendable, CaseIterable {
    /// The link confirms that it has taken charge of a command.
    case delivery
    /// The device says that it has accepted a command.
    case acceptance
    /// The effect of a command is reported, by the device or by reading its state back.
    case effect
    /// Commands to one device arrive in the order in which they were sent.
    case order
    /// The device recognises a command that is sent again and does not do it twice.
    case deduplication
    /// The link or the device drops a command whose time to start has passed.
    case expiry
    /// The device can be asked what became of commands.
    case asking
}

/// What a channel can honestly report or promise.
public typealias ChannelTraits = Set<ChannelTrait>
