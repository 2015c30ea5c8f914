public import Connectivity
internal import DeviceDomain
internal import HomeModel

/// A channel of a home as it is now.
public struct ChannelStatus: Sendable {
    /// Names the channel.
    public let id: ChannelID
    /// What kind it is.
    public let kind: ChannelKind
    /// Where its other end is.
    public let address: String
    /// Whether its link works.
    public let link: LinkState
    /// How many known devices use it.
    public let devices: Int
    /// What it can report and guarantee.
    public let traits: ChannelTraits
    /// Why devices use it, or what is wrong with it.
    public let reason: String
}

extension Home {
    /// The channels in the order of the configuration. It connects where that is not done yet.
    public func channels() async -> [ChannelStatus] {
        _ = try? await survey()
        var statuses: [ChannelStatus] = []
        for station in stations { statuses.append(await status(of: station)) }
        return statuses
    }

    /// Where the other end of a channel is, as messages name it.
    public func address(of channel: ChannelID) -> String {
        stations.first { $0.channel.id == channel }?.setup.address ?? channel.text
    }

    /// Where the other end of the first channel is, which devices use unless something else is said.
    public var address: String { stations[0].setup.address }

    /// Where the other ends of all channels are, in the order of the configuration.
    package var addresses: [String] { stations.map(\.setup.address) }

    /// Waits until one channel is connected.
    /// - Throws: ``HomeError`` `noConnection` where none can be, `notRunning`.
    public func requireConnection() async throws(HomeError) {
        try requireRunning()
        var failure: HomeError?
        for station in stations {
            do {
                return try await station.channel.open()
            } catch {
                failure = failure ?? HomeError(error, at: station.setup.address)
            }
        }
        if let failure { throw failure }
    }

    /// The states of the channels' links as they change, beginning with the present ones. It connects
    /// nothing.
    public func linkChanges() -> HomeChanges { live.changes(of: .devices([])) }

    /// Waits until a channel is connected, or the home ends.
    /// - Returns: whether one is.
    public func isConnected() async -> Bool {
        for await change in linkChanges() {
            if case .link(_, let link) = change, link.isConnected { return true }
        }
        return false
    }

    /// Why no channel will ever connect again: the credentials of each were refused. `nil` where one
    /// is connected, or goes on trying.
    public var finalFailure: HomeError? {
        let links = live.links
        var failure: HomeError?
        for station in stations {
            guard case .lost(let error, retryIn: nil)? = links[station.channel.id],
                error.code == .credentialsRefused
            else { return nil }
            failure = failure ?? HomeError(error, at: station.setup.address)
        }
        return failure
    }

    private func status(of station: ChannelStation) async -> ChannelStatus {
        let channel = station.channel
        var link = LinkState.connecting
        for await state in channel.linkStates() {
            link = state
            break
        }
        let users = live.model.allDevices.filter { channelID(of: $0) == channel.id }
        return ChannelStatus(
            id: channel.id, kind: channel.kind, address: station.setup.address, link: link,
            devices: users.count, traits: channel.traits, reason: reason(for: channel, link))
    }

    private func channelID(of device: KnownDevice) -> ChannelID? {
        guard let profile = device.profile else { return device.channel }
        return (try? factory.choice(for: profile, heardOn: device.channel))?.channel.id
    }

    /// What is wrong with a link, else why devices use the channel.
    private func reason(for channel: any CommunicationChannel, _ link: LinkState) -> String {
        switch link {
        case .lost(let error, _), .limited(let error): return "\(error)"
        case .connecting, .connected: break
        }
        let rules = configuration.rules.filter { $0.channel == channel.id }.map(\.scope.words)
        let isStandard = channel.id == stations.first?.channel.id
        let parts = rules + (isStandard ? ["the default"] : []) + ["devices heard on it"]
        return parts.joined(separator: ", ")
    }
}

extension ChannelRule.Scope {
    fileprivate var words: String {
        switch self {
        case .device(let device, _): "device \(device)"
        case .model(let model): "model \(model.rawValue)"
        case .kind(let kind): "kind \(kind.rawValue)"
        }
    }
}
