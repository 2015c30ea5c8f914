public import DeviceDomain

/// A channel for a device, and why it was chosen.
public struct ChannelChoice: Sendable {
    /// The channel.
    public let channel: any CommunicationChannel
    /// Why, in a sentence that a user reads.
    public let reason: String

    public init(channel: any CommunicationChannel, reason: String) {
        self.channel = channel
        self.reason = reason
    }
}

/// Which channel some devices use.
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

    /// The devices that the rule is about.
    public let scope: Scope
    /// The channel that they use.
    public let channel: ChannelKind

    public init(_ scope: Scope, use channel: ChannelKind) {
        self.scope = scope
        self.channel = channel
    }
}

/// Chooses the channel of each device: its own assignment, else the rule of its model, else that
/// of its kind, else the default channel.
public struct CommunicationStrategyFactory: Sendable {
    private let channels: [ChannelKind: any CommunicationChannel]
    private let rules: [ChannelRule.Scope: ChannelKind]
    private let standard: ChannelKind?

    /// A factory of these channels. Of two rules with one scope, and of two channels of one kind,
    /// the later one holds.
    /// - Parameter standard: the channel of devices without a rule; the first one if not given.
    public init(
        channels: [any CommunicationChannel], rules: [ChannelRule] = [],
        standard: ChannelKind? = nil
    ) {
        self.channels = Dictionary(channels.map { ($0.kind, $0) }) { _, later in later }
        self.rules = Dictionary(rules.map { ($0.scope, $0.channel) }) { _, later in later }
        self.standard = standard ?? channels.first?.kind
    }

    /// Every channel, in the order of their kinds.
    public var allChannels: [any CommunicationChannel] {
        channels.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    }

    /// The channel of a device, with the reason.
    /// - Throws: `noChannel` if the rule that holds names a channel that is not set up, or there
    ///   is no default.
    public func choice(for profile: DeviceProfile) throws(CommunicationError) -> ChannelChoice {
        guard let (kind, reason) = verdict(on: profile) else {
            throw CommunicationError(
                .noChannel, "no channel is set up, so \(profile.id) cannot be reached; set one up")
        }
        guard let channel = channels[kind] else {
            throw CommunicationError(
                .noChannel,
                "\(reason), but that channel is not set up; set it up or change the rule")
        }
        return ChannelChoice(channel: channel, reason: reason)
    }

    /// A communicator by the device's choice.
    /// - Throws: as ``choice(for:)``.
    public func communicator(for device: any Device) throws(CommunicationError)
        -> DeviceCommunicator
    {
        DeviceCommunicator(device: device, choice: try choice(for: device.profile))
    }

    private func verdict(on profile: DeviceProfile) -> (ChannelKind, reason: String)? {
        if let kind = rules[.device(profile.id, profile.home)] {
            return (kind, "\(profile.id) is assigned to the channel \(kind.rawValue)")
        }
        if let kind = rules[.model(profile.model)] {
            return (kind, "devices of model \(profile.model.rawValue) use \(kind.rawValue)")
        }
        if let kind = rules[.kind(profile.kind)] {
            return (kind, "devices of kind \(profile.kind.rawValue) use \(kind.rawValue)")
        }
        return standard.map {
            ($0, "no rule names \(profile.id), so it uses the default channel \($0.rawValue)")
        }
    }
}
