internal import Connectivity
public import DeviceDomain
public import HomeModel

extension Home {
    /// The channels in the order of the configuration. It connects where that is not done yet.
    public func channels() async -> [ChannelStatus] {
        _ = try? await survey()
        return await observation.statuses(under: configuration.rules)
    }

    /// Where the other end of a channel is, as messages name it.
    public func address(of channel: ChannelID) -> String { observation.address(of: channel) }

    /// Where the other end of the first channel is, which devices use unless something else is said.
    public var address: String { observation.channels[0].setup.address }

    /// Waits until one channel is connected.
    /// - Throws: ``HomeError`` `noConnection` where none can be, `notRunning`.
    public func requireConnection() async throws(HomeError) {
        try await observation.requireConnection()
    }

    /// The states of the channels' links as they change, beginning with the present ones. It connects
    /// nothing.
    public func linkChanges() -> HomeChanges { observation.linkChanges() }

    /// Waits until a channel is connected, or the home ends.
    /// - Returns: whether one is.
    public func isConnected() async -> Bool { await observation.isConnected() }

    /// Why no channel will ever connect again: the credentials of each were refused. `nil` where one
    /// is connected, or goes on trying.
    public var finalFailure: HomeError? { observation.finalFailure }

    /// Other homes that have devices on the home's MQTT brokers, as far as the access rules show them. Each
    /// broker gets one more connection for half a second; one that cannot be reached shows none.
    package func otherHomes() async -> [HomeID] {
        await observation.otherHomes(for: controller, on: eventLoop)
    }
}
