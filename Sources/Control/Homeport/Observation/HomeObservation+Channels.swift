package import Connectivity
package import DeviceDomain
internal import HomeModel
internal import MQTTClient
internal import MosquittoAdapter

/// The channels themselves: where they lead, and whether their links work.
extension HomeObservation {
    /// Where the other end of a channel is, as messages name it.
    func address(of id: ChannelID) -> String { channel(id)?.setup.address ?? id.text }

    /// The home and where it is looked for, as messages name it: `home-1 at mqtt://127.0.0.1:1883`.
    package var place: String { "\(home) at \(addresses.joined(separator: ", "))" }

    /// Where the other ends of all channels are, in the order of the configuration.
    package var addresses: [String] { channels.map(\.setup.address) }

    /// How the first broker of the home is reached; `nil` if no channel of the home has one.
    package var brokerConnection: BrokerConnection? {
        channels.lazy.compactMap(\.setup.connection).first
    }

    /// What a channel can report; everything where it is not set up.
    package func traits(of id: ChannelID) -> ChannelTraits {
        channel(id)?.channel.traits ?? ChannelTraits(ChannelTrait.allCases)
    }

    /// Waits until one channel is connected.
    func requireConnection() async throws(HomeError) {
        try lifetime.requireRunning()
        var failure: HomeError?
        for channel in channels {
            do {
                return try await channel.channel.open()
            } catch {
                failure = failure ?? HomeError(error, at: channel.setup.address)
            }
        }
        if let failure { throw failure }
    }

    /// The states of the links as they change.
    func linkChanges() -> HomeChanges { live.changes(of: .devices([])) }

    /// Waits until a channel is connected, or the home ends.
    func isConnected() async -> Bool {
        for await change in linkChanges() {
            if case .link(_, let link) = change, link.isConnected { return true }
        }
        return false
    }

    /// Why no channel will ever connect again; `nil` where one is connected, or goes on trying.
    var finalFailure: HomeError? {
        let links = live.links
        var failure: HomeError?
        for channel in channels {
            guard case .lost(let error, retryIn: nil)? = links[channel.channel.id],
                error.code == .credentialsRefused
            else { return nil }
            failure = failure ?? HomeError(error, at: channel.setup.address)
        }
        return failure
    }

    /// The channels as they are now, in their order.
    func statuses(under rules: [ChannelRule]) async -> [ChannelStatus] {
        var statuses: [ChannelStatus] = []
        for channel in channels { statuses.append(await status(of: channel, under: rules)) }
        return statuses
    }

    private func status(of channel: HomeChannel, under rules: [ChannelRule]) async -> ChannelStatus
    {
        let (setup, channel) = (channel.setup, channel.channel)
        var link = LinkState.connecting
        for await state in channel.linkStates() {
            link = state
            break
        }
        let users = live.model.allDevices.filter { channelID(of: $0) == channel.id }
        return ChannelStatus(
            id: channel.id, kind: channel.kind, address: setup.address, link: link,
            devices: users.count, traits: channel.traits, reason: reason(for: channel, link, rules))
    }

    /// Other homes that have devices on the MQTT brokers of the channels.
    func otherHomes(for controller: ControllerID, on eventLoop: MQTTEventLoop) async -> [HomeID] {
        var found: Set<HomeID> = []
        for setup in channels.map(\.setup) where setup.kind == .homeportMQTT {
            guard let connection = setup.connection else { continue }
            let search = HomeSearch(connection.link(as: controller), on: eventLoop)
            found.formUnion((try? await search.run()) ?? [])
        }
        return found.subtracting([home]).sorted()
    }

    private func channelID(of device: KnownDevice) -> ChannelID? {
        guard let profile = device.profile, device.ways == nil else { return device.channel }
        return (try? factory.choice(for: profile, heardOn: device.channel))?.channel.id
    }

    /// What is wrong with a link, else why devices use the channel.
    private func reason(
        for channel: any CommunicationChannel, _ link: LinkState, _ rules: [ChannelRule]
    ) -> String {
        switch link {
        case .lost(let error, _), .limited(let error): return "\(error)"
        case .connecting, .connected: break
        }
        let scopes = rules.filter { $0.channels.contains(channel.id) }.map { rule in
            switch rule.use {
            case .only: rule.scope.text
            case .prefer(let order) where order.first == channel.id:
                "preferred by \(rule.scope.text)"
            case .prefer: "\(rule.scope.text) where a preferred channel is down"
            }
        }
        let isStandard = channel.id == channels[0].channel.id
        let parts = scopes + (isStandard ? ["the default"] : []) + ["devices heard on it"]
        return parts.joined(separator: ", ")
    }
}

extension ChannelRule.Scope {
    fileprivate var text: String {
        switch self {
        case .device(let device, _): "device \(device)"
        case .model(let model): "model \(model.rawValue)"
        case .kind(let kind): "kind \(kind.rawValue)"
        }
    }
}
