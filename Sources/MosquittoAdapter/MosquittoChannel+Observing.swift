public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Logging
internal import MQTTClient
internal import MQTTLink

/// Somebody who hears a part of a home.
struct Observer: Sendable {
    let home: HomeID
    let scope: HomeScope
    let wish: MQTTWish
    let sink: ObservationSink
}

extension MosquittoChannel {
    /// Up to so many devices have filters of their own; a larger part of a home has the home's.
    static let devicesWithOwnFilters = 16

    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        let ticket = makeTicket()
        // In one step: what the broker sends at once must find its observer.
        perform { channel in
            let wish = channel.link.want(channel.requests(home, scope), to: channel.sink)
            channel.wantFence(of: home)
            channel.observers[ticket] = Observer(home: home, scope: scope, wish: wish, sink: sink)
        }
        return ChannelObservation { [weak self] in
            self?.perform { channel in
                guard let observer = channel.observers.removeValue(forKey: ticket) else { return }
                channel.link.drop(observer.wish)
            }
        }
    }

    /// Waits for the broker's word on the filters, then asks the fence when the retained messages
    /// have come. Where a whole home stays silent, as behind brokers that do not replay to wildcards,
    /// says `hello` and listens.
    public func replay(
        _ home: HomeID, _ scope: HomeScope
    ) async throws(CommunicationError) -> ReplayCompleteness {
        let wishes = observers.values
            .filter { $0.home == home && $0.scope.union(scope) == $0.scope }.map(\.wish)
        guard !wishes.isEmpty else { throw .notObserved }
        do {
            for wish in wishes { try await link.granted(wish) }
            let isPassed = try await passFence(of: home)
            if isPassed, scope == .everyDevice, !heardHomes.contains(home) {
                try await greet(home)
            }
            return isPassed
                ? .complete : .incomplete("timed out waiting for retained messages")
        } catch let error {
            throw CommunicationError(error)
        }
    }

    // MARK: Filters

    /// What a part of a home is subscribed to with.
    private nonisolated func requests(
        _ home: HomeID, _ scope: HomeScope
    ) -> [MQTTSubscriptionRequest] {
        let topics = Set(ReaderTopic.allCases).subtracting([.fence])
        let controller = configuration.controller
        switch scope {
        case .devices(let devices) where devices.count <= Self.devicesWithOwnFilters:
            return requests(
                devices.sorted().flatMap {
                    TopicSubscription.device($0, in: home, topics, controller: controller)
                })
        case .devices, .everyDevice:
            return requests(TopicSubscription.home(home, topics, controller: controller))
        }
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

    // MARK: Fence and hello

    private func wantFence(of home: HomeID) {
        guard fenceWishes[home] == nil else { return }
        let fence = TopicSubscription.home(home, [.fence])
        fenceWishes[home] = link.want(requests(fence), replaying: false, to: sink)
    }

    /// Sends a nonce to itself, behind all that the broker has begun to send.
    /// - Returns: whether it came back in time; not where the broker refuses the filter.
    private func passFence(of home: HomeID) async throws(MQTTError) -> Bool {
        if let wish = fenceWishes[home] {
            do {
                try await link.granted(wish)
            } catch {
                guard error.code == .subscriptionRefused else { throw error }
                return false
            }
        }
        var generator = SystemRandomNumberGenerator()
        let nonce = String.randomHex(digits: 16, using: &generator)
        let fence = try MQTTMessage(.fence(FenceMessage(nonce: nonce), home: home))
        return try await link.passFence(
            publishing: fence,
            until: { $0.topic == fence.topic && $0.payload == fence.payload },
            within: configuration.fenceDeadline)
    }

    /// Asks every device of the home to announce itself, and listens for that long.
    private func greet(_ home: HomeID) async throws(MQTTError) {
        var generator = SystemRandomNumberGenerator()
        let hello = HelloMessage(
            nonce: .randomHex(digits: 16, using: &generator), spread: configuration.helloSpread)
        _ = try await link.publish(try MQTTMessage(.hello(hello, home: home)))
        let slot = AnswerSlot<Bool>()
        let listening = configuration.helloSpread + configuration.helloMargin
        let end = eventLoop.schedule(after: listening) { slot.resolve(true) }
        _ = await slot.value(ifCancelled: false)
        end.cancel()
    }
}
