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

/// Chooses the channel of each device: its own rule, else the rule of its model, else that of its kind, else
/// the channel that received its messages, else the default channel. A rule that prefers channels leaves the
/// choice to what was heard of the device.
public struct CommunicationStrategyFactory: Sendable {
    private let channels: [ChannelID: any CommunicationChannel]
    private let preferences: ChannelPreferences
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
        preferences = ChannelPreferences(channels: channels.map(\.id), rules: rules)
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

    /// What the rule that holds for a device says; `nil` without one.
    public func rule(for profile: DeviceProfile) -> ChannelRule.Use? {
        preferences.rule(for: profile)?.use
    }

    private func verdict(
        on profile: DeviceProfile, _ heard: ChannelID?
    ) -> (ChannelID, reason: String)? {
        if let (use, subject) = preferences.rule(for: profile) {
            switch use {
            case .only(let id): return (id, "\(subject.sentenceStart) the channel \(id)")
            case .prefer(let order):
                if let heard { return (heard, subject.preferring(order, heard)) }
                // One that is not set up can be passed over: the others are there for that.
                if let id = order.first(where: { channels[$0] != nil }) ?? order.first {
                    return (id, subject.preferring(order, id))
                }
            }
        }
        if let heard { return (heard, "\(profile.id) was heard on the channel \(heard)") }
        return standard.map {
            ($0, "no rule names \(profile.id), so it uses the default channel \($0)")
        }
    }
}

extension ChannelRule.Scope {
    /// As the beginning of a sentence that ends with a channel.
    fileprivate var sentenceStart: String {
        switch self {
        case .device(let device, _): "\(device) is assigned to"
        case .model(let model): "devices of model \(model.rawValue) use"
        case .kind(let kind): "devices of kind \(kind.rawValue) use"
        }
    }

    fileprivate func preferring(_ order: [ChannelID], _ channel: ChannelID) -> String {
        let subject =
            switch self {
            case .device(let device, _): "\(device) prefers"
            case .model(let model): "devices of model \(model.rawValue) prefer"
            case .kind(let kind): "devices of kind \(kind.rawValue) prefer"
            }
        let names = order.map(\.text).joined(separator: ", ")
        return "\(subject) the channels \(names), and \(channel) is used"
    }
}

extension CommunicationError {
    fileprivate static func noChannel(_ message: String) -> CommunicationError {
        CommunicationError(.noChannel, message, certainty: .neverLeft)
    }
}
