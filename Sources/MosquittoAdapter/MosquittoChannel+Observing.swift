public import Connectivity
public import DeviceDomain
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

/// Somebody who hears a part of a home.
struct Observer: Sendable {
    let home: HomeID
    let scope: HomeScope
    /// What a replay waits for first.
    let wish: MQTTWish
    let fenceWish: MQTTWish
    /// The presence of every device, which a broker may answer with more than it keeps for a slow reader.
    let presenceWish: MQTTWish?
    let sink: ObservationSink
}

extension MosquittoChannel {
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let ticket = makeTicket()
        // In one step: what the broker sends at once must find its observer.
        perform { channel in
            channel.watchLink()
            channel.observers[ticket] = channel.observer(home, scope, sink)
            channel.rolls[home, default: HomeRoll()].add(scope)
            if scope.isWhole { channel.askForEveryDevice(of: home) }
        }
        return ChannelObservation { [weak self] in
            self?.perform { $0.endObserving(ticket) }
        }
    }

    private func endObserving(_ ticket: Ticket) {
        guard let observer = observers.removeValue(forKey: ticket) else { return }
        link.drop(observer.wish)
        link.drop(observer.fenceWish)
        if let wish = observer.presenceWish { link.drop(wish) }
        for wish in rolls[observer.home]?.remove(observer.scope) ?? [] { link.drop(wish) }
        if !observers.values.contains(where: { $0.home == observer.home }) {
            rolls[observer.home] = nil
        }
    }

    // MARK: Filters

    /// A few devices are heard by filters of their own. Of a whole home what is not retained comes by
    /// wildcards, and so does presence; description and state of each device that is heard come by
    /// filters of its own, so that the broker never replays more than it keeps for a slow reader.
    private func observer(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> Observer {
        let fenceWish = link.want(
            requests(TopicSubscription.home(home, [.fence])), replaying: false, to: self.sink)
        let controller = configuration.controller
        switch scope {
        case .devices(let devices):
            let topics = Set(ReaderTopic.allCases).subtracting([.fence])
            let filters = devices.sorted().flatMap {
                TopicSubscription.device($0, in: home, topics, controller: controller)
            }
            return Observer(
                home: home, scope: scope, wish: link.want(requests(filters), to: self.sink),
                fenceWish: fenceWish, presenceWish: nil, sink: sink)
        case .everyDevice, .everyDeviceWithoutTelemetry:
            let topics: Set<ReaderTopic> = scope == .everyDevice ? [.telemetry] : []
            let live = TopicSubscription.home(
                home, topics.union([.event, .ack]), controller: controller)
            let presence = TopicSubscription.home(home, [.presence])
            return Observer(
                home: home, scope: scope,
                wish: link.want(requests(live), replaying: false, to: self.sink),
                fenceWish: fenceWish, presenceWish: link.want(requests(presence), to: self.sink),
                sink: sink)
        }
    }

    /// A new observer of a whole home gets what the devices retain, also of those that others hear.
    private func askForEveryDevice(of home: HomeID) {
        guard let roll = rolls[home] else { return }
        let asked =
            roll.wildcards == nil
            ? roll.asked.flatMap { Self.filters(of: $0, in: home) } : Self.wildcards(of: home)
        link.replay(requests(asked).map(\.filter))
        askForDevices(roll.heard.keys.sorted(), of: home)
    }

    /// Asks for what devices retain, unless that is done already.
    func askForDevices(_ devices: some Sequence<DeviceID>, of home: HomeID) {
        for device in devices where rolls[home]?.isNew(device) == true {
            rolls[home]?.asked(
                device, link.want(requests(Self.filters(of: device, in: home)), to: sink))
        }
    }

    /// Of a small home description and state come by wildcards. So devices are found that retain no
    /// presence, and a broker that replays nothing to wildcards sends what the devices announce.
    func askForWildcards(of home: HomeID) async throws(MQTTError) {
        guard let roll = rolls[home], roll.isSmall, roll.wildcards == nil else { return }
        let wish = link.want(requests(Self.wildcards(of: home)), to: sink)
        rolls[home]?.askedForWildcards(wish)
        do {
            try await link.granted(wish)
        } catch {
            guard error.code == .subscriptionRefused else { throw error }
            giveUpWildcards(of: home)
        }
    }

    /// Each device is asked for by filters of its own instead.
    private func giveUpWildcards(of home: HomeID) {
        guard let wish = rolls[home]?.takeWildcards() else { return }
        askForDevices(rolls[home].map { $0.heard.keys.sorted() } ?? [], of: home)
        link.drop(wish)
    }

    private static func wildcards(of home: HomeID) -> [TopicSubscription] {
        TopicSubscription.home(home, [.description, .state])
    }

    private static func filters(of device: DeviceID, in home: HomeID) -> [TopicSubscription] {
        TopicSubscription.device(device, in: home, [.description, .state])
    }

    /// The protocol's subscriptions as the client asks for them.
    nonisolated func requests(_ subscriptions: [TopicSubscription]) -> [MQTTSubscriptionRequest] {
        subscriptions.compactMap { subscription in
            do {
                return try MQTTSubscriptionRequest(subscription)
            } catch {
                preconditionFailure("a filter of identifiers is valid: \(error)")
            }
        }
    }

    // MARK: Reconnecting

    /// Behind a new connection the broker replays once more, and of a large home perhaps not all.
    private func watchLink() {
        guard !isWatchingLink else { return }
        isWatchingLink = true
        link.observeStates { [weak self] state in
            guard let self, let state else { return false }
            assumeIsolated { $0.linkChanged(isConnected: state.isConnected) }
            return true
        }
    }

    private func linkChanged(isConnected: Bool) {
        for (home, roll) in rolls {
            if !isConnected {
                // The next replay must not be more than a broker keeps for a slow reader.
                if !roll.isSmall { giveUpWildcards(of: home) }
                rolls[home]?.connectionLost()
            } else if roll.isReconnected {
                rolls[home]?.greeted()
                greetWithoutWaiting(home)
            }
        }
    }
}
