internal import Basics
internal import Connectivity
internal import DeviceDomain

/// The channels of the homes of an instance. A channel serves several homes over one connection.
final class SharedChannels: Sendable {
    /// So many homes share a connection. A broker queues a thousand messages for a client and drops the rest, so that a
    /// connection must not get what thousands of devices say at once after an outage.
    static let homesPerConnection = 64

    private struct Shared {
        let number: Int
        let channel: any CommunicationChannel
        var homes = 1
    }

    private struct State {
        var channels: [ChannelID: [Shared]] = [:]
        var lastNumber = 0
    }

    private let state = Guarded(State())

    /// How many connections there are.
    var count: Int { state.withLock { $0.channels.values.reduce(0) { $0 + $1.count } } }

    /// A home's use of a channel: of one that has room, else of a new one.
    /// - Throws: ``HomeError`` `configuration` if the setup is wrong.
    func channel(
        _ setup: ChannelSetup, _ context: ChannelContext
    ) throws(HomeError) -> SharedChannel {
        let (number, result) = state.withLock { state in
            let known = state.channels[setup.id, default: []]
            if let place = known.firstIndex(where: { $0.homes < Self.homesPerConnection }) {
                state.channels[setup.id]?[place].homes += 1
                return (known[place].number, Result<_, HomeError>.success(known[place].channel))
            }
            state.lastNumber += 1
            let new = Result { () throws(HomeError) in try setup.make(context) }
            if case .success(let channel) = new {
                state.channels[setup.id, default: []].append(
                    Shared(number: state.lastNumber, channel: channel))
            }
            return (state.lastNumber, new)
        }
        return SharedChannel(try result.get()) { [self] in await leave(setup.id, number) }
    }

    /// A home uses a channel no more; the last one closes it.
    private func leave(_ id: ChannelID, _ number: Int) async {
        let unused = state.withLock { state -> (any CommunicationChannel)? in
            guard let place = state.channels[id]?.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            state.channels[id]?[place].homes -= 1
            guard state.channels[id]?[place].homes == 0 else { return nil }
            return state.channels[id]?.remove(at: place).channel
        }
        await unused?.close()
    }
}

/// A home's use of a channel that other homes use too. It closes for this home alone.
final class SharedChannel: CommunicationChannel {
    private let base: any CommunicationChannel
    private let leave: @Sendable () async -> Void
    /// What the home observes; `nil` once it has closed the channel.
    private let observations = Guarded<[ChannelObservation]?>([])

    init(_ base: any CommunicationChannel, leave: @escaping @Sendable () async -> Void) {
        self.base = base
        self.leave = leave
    }

    var id: ChannelID { base.id }
    var kind: ChannelKind { base.kind }
    var traits: ChannelTraits { base.traits }
    var reportsTelemetry: Bool { base.reportsTelemetry }

    func open() async throws(CommunicationError) { try await base.open() }

    func close() async {
        let ended = observations.withLock { observations in
            defer { observations = nil }
            return observations
        }
        guard let ended else { return }
        for observation in ended { observation.cancel() }
        await leave()
    }

    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        base.service(for: device, in: home)
    }

    func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let observation = base.observe(home, scope, sink)
        let isOpen = observations.withLock { observations in
            observations?.append(observation)
            return observations != nil
        }
        if !isOpen { observation.cancel() }
        return observation
    }

    func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try await base.replay(home, scope, known: known)
    }

    func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        try await base.clear(device, in: home)
    }

    func linkStates() -> LinkStates { base.linkStates() }
}
