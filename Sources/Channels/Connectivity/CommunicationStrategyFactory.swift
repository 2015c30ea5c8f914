public import DeviceDomain

/// A channel for a device, and why it was chosen.
public struct ChannelChoice: Sendable {
    /// The channel.
    public let channel: any CommunicationChannel
    /// The reason, as a sentence for users.
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
    public let channel: ChannelID

    public init(_ scope: Scope, use channel: ChannelID) {
        self.scope = scope
        self.channel = channel
    }
}

/// Chooses the channel of each device: its own assignment, else the rule of its model, else that
/// of its kind, else the channel that received its messages, else the default channel.
public struct CommunicationStrategyFactory: Sendable {
    private let channels: [ChannelID: any CommunicationChannel]
    private let rules: [ChannelRule.Scope: ChannelID]
    private let standard: ChannelID?

    /// Every channel, in the order in which they were given.
    public let allChannels: [any CommunicationChannel]

    /// A factory of these channels, each with an id of its own. Of two rules with one scope the
    /// later one holds.
    /// - Parameter standard: the channel of devices that were not heard and have no rule; the
    ///   first one if not given.
    public init(
        channels: [any CommunicationChannel], rules: [ChannelRule] = [],
        standard: ChannelID? = nil
    ) {
        allChannels = channels
        self.channels = Dictionary(channels.map { ($0.id, $0) }) { first, _ in first }
        self.rules = Dictionary(rules.map { ($0.scope, $0.channel) }) { _, later in later }
        self.standard = standard ?? channels.first?.id
    }

    /// The channel of a device, with the reason.
    /// - Parameter heard: the channel that observed the device, if one did.
    /// - Throws: `noChannel` if the rule that holds names a channel that is not set up, or there
    ///   is no channel at all.
    public func choice(
        for profile: DeviceProfile, heardOn heard: ChannelID? = nil
    ) throws(CommunicationError) -> ChannelChoice {
        guard let (id, reason) = verdict(on: profile, heard) else {
            throw .noChannel("no channel is set up, so \(profile.id) cannot be reached; set one up")
        }
        guard let channel = channels[id] else {
            throw .noChannel(
                "\(reason), but that channel is not set up; set it up or change the rule")
        }
        return ChannelChoice(channel: channel, reason: reason)
    }

    private func verdict(
        on profile: DeviceProfile, _ heard: ChannelID?
    ) -> (ChannelID, reason: String)? {
        if let id = rules[.device(profile.id, profile.home)] {
            return (id, "\(profile.id) is assigned to the channel \(id)")
        }
        if let id = rules[.model(profile.model)] {
            return (id, "devices of model \(profile.model.rawValue) use the channel \(id)")
        }
        if let id = rules[.kind(profile.kind)] {
            return (id, "devices of kind \(profile.kind.rawValue) use the channel \(id)")
        }
        if let heard { return (heard, "\(profile.id) was heard on the channel \(heard)") }
        return standard.map {
            ($0, "no rule names \(profile.id), so it uses the default channel \($0)")
        }
    }
}

extension CommunicationError {
    fileprivate static func noChannel(_ message: String) -> CommunicationError {
        CommunicationError(.noChannel, message, certainty: .neverLeft)
    }
}
