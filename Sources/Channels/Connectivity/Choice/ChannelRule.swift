public import DeviceDomain

/// Which channels some devices use.
public struct ChannelRule: Hashable, Sendable {
    /// The devices that a rule is about, from the narrowest to the widest.
    public enum Scope: Hashable, Sendable {
        /// One device.
        case device(DeviceID, HomeID)
        /// Every device of a model.
        case model(DeviceModel)
        /// Every device of a kind.
        case kind(DeviceKind)
    }

    /// What holds for them.
    public enum Use: Hashable, Sendable {
        /// They use this channel and no other, also while it is down.
        case only(ChannelID)
        /// They use the first of these channels that leads to them, else another one on which they are heard.
        case prefer([ChannelID])
    }

    /// The devices that the rule is about.
    public let scope: Scope
    /// Which channels they use.
    public let use: Use

    /// A rule for one channel.
    public init(_ scope: Scope, use channel: ChannelID) {
        self.init(scope, .only(channel))
    }

    /// A rule for an order of channels.
    public init(_ scope: Scope, prefer channels: [ChannelID]) {
        self.init(scope, .prefer(channels))
    }

    init(_ scope: Scope, _ use: Use) {
        self.scope = scope
        self.use = use
    }

    /// The channels that the rule names, in its order.
    public var channels: [ChannelID] { use.channels }
}

extension ChannelRule.Use {
    /// The channels that it names, in its order.
    public var channels: [ChannelID] {
        switch self {
        case .only(let channel): [channel]
        case .prefer(let channels): channels
        }
    }
}
