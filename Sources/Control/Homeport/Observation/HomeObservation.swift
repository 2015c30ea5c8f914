internal import Basics
package import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
internal import MQTTClient

/// What is observed of a home, over each of its channels, and what the ledger remembers of the rest.
package final class HomeObservation: Sendable {
    let home: HomeID
    let live: LiveHome
    let channels: [HomeChannel]
    let factory: CommunicationStrategyFactory
    let lifetime: HomeLifetime
    let clock: any CommandClock
    let labels: KnownLabels
    private let state = Guarded<[ChannelID: ChannelObservationState]>([:])

    /// Makes the channels of a configuration; nothing is connected.
    init(
        _ configuration: HomeConfiguration, into live: LiveHome, on eventLoop: MQTTEventLoop,
        in lifetime: HomeLifetime
    ) throws(HomeError) {
        home = configuration.home
        let context = ChannelContext(
            home: home, controller: configuration.controller, eventLoop: eventLoop,
            logger: configuration.logger)
        let isAlone = configuration.channels.count == 1 && live.identities.isPlain
        channels = try configuration.channels.map { setup throws(HomeError) in
            let channel: any CommunicationChannel =
                if let sharing = configuration.sharing {
                    try sharing.channels.channel(setup, context)
                } else {
                    try setup.make(context)
                }
            return HomeChannel(
                setup: setup,
                channel: isAlone ? channel : IdentifyingChannel(channel) { live.identities },
                base: channel)
        }
        factory = CommunicationStrategyFactory(
            channels: channels.map(\.channel), rules: configuration.rules)
        clock = configuration.clock
        labels = KnownLabels(of: home, into: live, in: lifetime)
        self.live = live
        self.lifetime = lifetime
    }

    /// A channel of the home by its id.
    func channel(_ id: ChannelID) -> HomeChannel? { channels.first { $0.channel.id == id } }

    // MARK: Surveys

    /// Finds devices: connects where that is not done yet, and waits for the retained messages.
    /// - Parameter channels: over which; `nil` for all.
    func survey(
        _ scope: HomeScope, over channels: [HomeChannel]? = nil
    ) async throws(HomeError) -> HomeSurvey {
        try lifetime.requireRunning()
        let channels = channels ?? self.channels
        var doubts: [ChannelID: String] = [:]
        var failures: [ChannelID: HomeError] = [:]
        for (channel, result) in await replays(scope, over: channels) {
            switch result {
            case .success(.complete): break
            case .success(.uncertain(let reason)), .success(.incomplete(let reason)):
                doubts[channel.channel.id] = reason
            case .failure(let error):
                failures[channel.channel.id] = HomeError(error, at: channel.setup.address)
            }
        }
        if failures.count == channels.count {
            throw HomeError(ofAll: channels.compactMap { failures[$0.channel.id] })
        }
        if !failures.isEmpty { await recallDevices(of: Set(failures.keys)) }
        if scope.isWhole { await labels.learn() }
        // What only the ledger knows belongs to the list where nobody can say whether it is still there.
        let devices = live.model.allDevices.filter {
            scope.contains($0.id) && ($0.heardAt != nil || failures[$0.channel] != nil)
        }
        return HomeSurvey(devices: devices, doubts: doubts, failures: failures)
    }

    private func replays(
        _ scope: HomeScope, over channels: [HomeChannel]
    ) async -> [(HomeChannel, Result<ReplayCompleteness, CommunicationError>)] {
        if channels.count == 1 {
            return [(channels[0], await replay(scope, over: channels[0].channel))]
        }
        return await withTaskGroup { group in
            for channel in channels {
                group.addTask { (channel, await self.replay(scope, over: channel.channel)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func replay(
        _ scope: HomeScope, over channel: any CommunicationChannel
    ) async -> Result<ReplayCompleteness, CommunicationError> {
        do throws(CommunicationError) {
            try await open(channel, observing: scope)
            let known = state.withLock { $0[channel.id]?.completeness(of: scope) }
            if let known { return .success(known) }
            let completeness = try await channel.replay(home, scope) {
                await self.rememberedDevices(of: channel.id)
            }
            state.withLock { $0[channel.id]?.note(completeness, of: scope) }
            return .success(completeness)
        } catch {
            return .failure(error)
        }
    }

    /// Opens a channel and observes a part of the home over it.
    ///
    /// Where there are other channels, one that did not open in time is waited for only once: it goes on trying
    /// beside the others, and until it connects its failure is known.
    private func open(
        _ channel: any CommunicationChannel, observing scope: HomeScope
    ) async throws(CommunicationError) {
        if let failure = state.withLock({ $0[channel.id]?.openingFailure }) { throw failure }
        do {
            try await channel.open()
        } catch {
            if channels.count > 1 {
                state.withLock { $0[channel.id, default: .init()].openingFailure = error }
                observe(scope, over: channel)
            }
            throw error
        }
        observe(scope, over: channel)
        // Another caller may have begun to observe this part, and not be done with it.
        for beginning in state.withLock({ $0[channel.id]?.beginnings ?? [] }) {
            _ = await beginning.value()
        }
    }

    /// Whether every device was found over every channel, be it without its telemetry.
    var isSurveyed: Bool {
        state.withLock { state in
            channels.allSatisfy { state[$0.channel.id]?.replayed?.isWhole == true }
        }
    }

    /// Whether a device may have been missed.
    package var isDoubtful: Bool { state.withLock { $0.values.contains(where: \.isDoubtful) } }

    /// Lets the next survey ask again for what may have been missed.
    package func forgetDoubtfulReplays() {
        state.withLock { state in
            for channel in state.keys { state[channel]?.forgetDoubtfulReplay() }
        }
    }

    /// Whether what is known of a device holds at this moment.
    func isCurrent(_ device: KnownDevice) -> Bool {
        guard case .described = device.identity else { return false }
        return state.withLock { $0[device.channel]?.replayed?.contains(device.id) ?? false }
    }

    // MARK: Observing

    /// Subscribes to a part of the home over every channel, where that is not done yet.
    func observe(_ scope: HomeScope) {
        for channel in channels { observe(scope, over: channel.channel) }
    }

    private func observe(_ scope: HomeScope, over channel: any CommunicationChannel) {
        let beginning = FutureValue<Void>()
        let new = state.withLock { $0[channel.id, default: .init()].begin(scope, beginning) }
        guard let new else { return }
        let observation = channel.observe(home, new) { [live] in live.apply($0) }
        let superseded = state.withLock {
            $0[channel.id, default: .init()].began(observation, of: new, beginning)
        }
        beginning.settle(())
        for old in superseded { old.cancel() }
    }

    // MARK: Links

    /// The part of the pause before a closed channel is opened again that grows and is random, so that many homes
    /// do not reconnect at once. A second comes before it.
    private static let reopening = Backoff(first: .seconds(4), longest: .seconds(60))

    /// Applies the states of a link to the model of the home, and reopens a channel that closed for a
    /// temporary reason, until the task is cancelled.
    func watchLink(of channel: any CommunicationChannel) async {
        var ends = 0
        var generator = SystemGenerator()
        for await link in channel.linkStates() {
            // Before readers learn of the loss: what they send then must not count as heard.
            let isObserved = state.withLock { $0[channel.id]?.apply(link) ?? false }
            live.link(of: channel.id, is: link)
            if link.isConnected { ends = 0 }
            guard case .lost(let error, retryIn: nil) = link, error.mayPass, isObserved
            else { continue }
            let pause = Self.reopening.jitteredWait(after: ends, using: &generator)
            ends += 1
            await clock.sleep(for: .seconds(1) + pause)
            if Task.isCancelled { return }
            await reopen(channel)
        }
    }

    private func reopen(_ channel: any CommunicationChannel) async {
        do throws(CommunicationError) {
            try await channel.open()
        } catch {
            // The next state of the link tells it.
        }
    }
}

/// A channel of a home, and where it came from.
struct HomeChannel: Sendable {
    let setup: ChannelSetup
    let channel: any CommunicationChannel
    /// The channel itself, which calls its devices by its own ids.
    let base: any CommunicationChannel
}

extension CommunicationError {
    /// Whether opening the channel again may help: a home that is observed does it then, also where the channel gave up.
    package var mayPass: Bool { code != .credentialsRefused && code != .closed }
}
