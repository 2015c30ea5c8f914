public import Connectivity
public import DeviceDomain
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

/// An observer of a part of a home, and its subscriptions.
struct Observer: Sendable {
    let home: HomeID
    let scope: HomeScope
    /// The topics that a replay waits for first.
    let subscription: MQTTLinkSubscription
    let fence: MQTTLinkSubscription
    /// The presence of every device. The broker's answer may be more than it queues for a slow reader.
    let presence: MQTTLinkSubscription?
    let sink: ObservationSink
}

extension MosquittoChannel {
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let id = ListenerID(on: link)
        // In one step, so that the first messages find their observer.
        eventLoop.perform(on: self) { channel in
            channel.observeLink()
            channel.observers[id] = channel.observer(home, scope, sink)
            channel.rosters[home, default: HomeRoster()].add(scope)
            if scope.isWhole { channel.subscribeToEveryDevice(of: home) }
        }
        return ChannelObservation { [weak self] in
            guard let self else { return }
            eventLoop.perform(on: self) { $0.endObserving(id) }
        }
    }

    private func endObserving(_ id: ListenerID) {
        guard let observer = observers.removeValue(forKey: id) else { return }
        link.unsubscribe(observer.subscription)
        link.unsubscribe(observer.fence)
        if let presence = observer.presence { link.unsubscribe(presence) }
        for unused in rosters[observer.home]?.remove(observer.scope) ?? [] {
            link.unsubscribe(unused)
        }
        if !observers.values.contains(where: { $0.home == observer.home }) {
            rosters[observer.home] = nil
        }
    }

    // MARK: Filters

    /// A few devices are subscribed to by their own filters. For a whole home, presence and what is not
    /// retained are subscribed to by wildcards; description and state follow for each device that sends
    /// something, so that the broker never replays more than it queues for a slow reader.
    private func observer(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> Observer {
        let fence = link.subscribe(to: .home(home, [.fence]), replaying: false)
        let controller = configuration.controller
        switch scope {
        case .devices(let devices):
            let topics = Set(ReaderTopic.allCases).subtracting([.fence])
            let filters = devices.sorted().flatMap {
                [MQTTSubscriptionRequest].device($0, in: home, topics, controller: controller)
            }
            return Observer(
                home: home, scope: scope,
                subscription: link.subscribe(to: filters),
                fence: fence, presence: nil, sink: sink)
        case .everyDevice, .everyDeviceWithoutTelemetry:
            let topics: Set<ReaderTopic> = scope == .everyDevice ? [.telemetry] : []
            let live = [MQTTSubscriptionRequest].home(
                home, topics.union([.event, .ack]), controller: controller)
            return Observer(
                home: home, scope: scope,
                subscription: link.subscribe(to: live, replaying: false), fence: fence,
                presence: link.subscribe(to: .home(home, [.presence])),
                sink: sink)
        }
    }

    /// Requests description and state of every device for a new observer, also of devices that are
    /// already subscribed to for others.
    private func subscribeToEveryDevice(of home: HomeID) {
        guard let roster = rosters[home] else { return }
        if roster.wildcards == nil {
            replay(roster.subscribedDevices.flatMap { Self.filters(of: $0, in: home) })
            subscribe(to: roster.received.keys.sorted(), of: home)
        } else if roster.isSmall {
            replay(Self.wildcards(of: home))
        } else {
            replaceWildcards(of: home)
        }
    }

    private func replay(_ subscriptions: [MQTTSubscriptionRequest]) {
        link.replay(subscriptions.map(\.filter))
    }

    /// Subscribes to description and state of devices for which that was not done yet.
    func subscribe(to devices: some Sequence<DeviceID>, of home: HomeID) {
        for device in devices where rosters[home]?.needsSubscription(device) == true {
            let filters = Self.filters(of: device, in: home)
            rosters[home]?.subscribed(to: device, link.subscribe(to: filters))
        }
    }

    /// Subscribes to description and state of a small home by wildcards. These find devices that retain
    /// no presence, and receive what devices announce where the broker replays nothing to wildcards.
    func subscribeByWildcards(to home: HomeID) async throws(MQTTError) {
        guard let roster = rosters[home], roster.isSmall, roster.wildcards == nil else { return }
        let wildcards = link.subscribe(to: Self.wildcards(of: home))
        rosters[home]?.addWildcards(wildcards)
        do {
            try await link.waitUntilGranted(wildcards)
        } catch {
            guard error.code == .subscriptionRefused else { throw error }
            replaceWildcards(of: home)
        }
    }

    /// Subscribes to each device by its own filters instead.
    private func replaceWildcards(of home: HomeID) {
        guard let wildcards = rosters[home]?.takeWildcards() else { return }
        subscribe(to: rosters[home].map { $0.received.keys.sorted() } ?? [], of: home)
        link.unsubscribe(wildcards)
    }

    private static func wildcards(of home: HomeID) -> [MQTTSubscriptionRequest] {
        .home(home, [.description, .state])
    }

    private static func filters(of device: DeviceID, in home: HomeID) -> [MQTTSubscriptionRequest] {
        .device(device, in: home, [.description, .state])
    }

    // MARK: Reconnecting

    private func observeLink() {
        guard !isObservingLink else { return }
        isObservingLink = true
        link.observeStates { [weak self] state in
            guard let self, let state else { return false }
            assumeIsolated { $0.linkChanged(isConnected: state.isConnected) }
            return true
        }
    }

    /// After a reconnect the broker replays again, but not everything if the home is large.
    private func linkChanged(isConnected: Bool) {
        for (home, roster) in rosters {
            if !isConnected {
                if !roster.isSmall { replaceWildcards(of: home) }
                rosters[home]?.connectionLost()
            } else if roster.needsHello {
                rosters[home]?.helloSent()
                sendHelloWithoutWaiting(to: home)
            }
        }
    }
}
