private import Logging

extension MQTTClient {
    /// Subscribes to all of the filters, or throws: with the broker's reason if it refuses one of them,
    /// with `notConnected` without a connection.
    ///
    /// The stream is bounded by `buffering`. A message that matches filters of several subscriptions, or
    /// several filters of one, comes once to each subscription where the broker sends it once; on 3.1.1,
    /// and in a session that an earlier process has begun, as often as it sends it.
    ///
    /// On MQTT 5 it comes once also where the broker sends a copy for each filter, as far as the client can
    /// know. It gives an identifier to at most one of the filters that a topic can match. A copy for another
    /// one is told by it; further copies, and all for filters without an identifier, look like equal messages
    /// and are delivered as such. This ends when messages that match an identified filter too have shown, on
    /// this connection, that the broker sends a copy for each filter, and that it has these: messages that
    /// are not retained, for filters of one QoS, `noLocal` and `retainAsPublished`. For filters without an
    /// identifier it does not end where a shared one is among them, or where `noLocal` differs. Where filters
    /// overlap, of messages that are equal in all but QoS and close together one may be taken for a copy; who
    /// must tell such messages apart subscribes to filters that do not overlap.
    ///
    /// Where several subscriptions have the same filter, the broker is asked for what suits all of them: the
    /// highest QoS, own messages and retain flags if one wants them.
    ///
    /// The broker gets `userProperties` on MQTT 5 with every SUBSCRIBE for these filters, also with those
    /// that follow a lost session.
    public func subscribe(
        to requests: [MQTTSubscriptionRequest], buffering: MQTTBufferPolicy = .suspend,
        userProperties: [MQTTProperties.UserProperty] = []
    ) async throws(MQTTError) -> MQTTSubscription {
        guard connection != nil else { throw notConnected }
        let number = nextNumber()
        let channel = SubscriptionChannel(policy: buffering, eventLoop: eventLoop) { [weak self] in
            self?.onLoop { $0.consumed(number) }
        }
        // Retained messages may come before the SUBACK.
        let subscription = ClientSubscription(
            requests: requests, sink: .channel(channel), userProperties: userProperties)
        add(subscription, as: number)
        do throws(MQTTError) {
            let answer = try await acknowledgement { askBroker(for: number, completion: $0) }
            return MQTTSubscription(
                number, of: self, channel: channel, acknowledgement: answer)
        } catch {
            endSubscription(number, error: error)
            throw error
        }
    }

    func add(_ subscription: ClientSubscription, as number: UInt64) {
        subscriptions[number] = subscription
        router.add(number, subscription, subscription.requests)
        leftovers.subtract(subscription.requests.map(\.filter))
    }

    // MARK: Messages

    func route(_ message: MQTTMessage) {
        let isWanted = router.forEachRecipient(of: message) { number, subscription in
            push(message, to: subscription, number)
        }
        if !isWanted { countDrop(.unmatched) }
    }

    private func push(
        _ message: MQTTMessage, to subscription: ClientSubscription, _ number: UInt64
    ) {
        switch subscription.sink {
        case .channel(let channel):
            switch channel.push(message) {
            case .accepted: break
            case .dropped: countDrop(.bufferOverflow)
            case .full: pause(for: number)
            }
        case .responses:
            if !requests.answer(with: message) { countDrop(.lateResponse) }
        }
    }

    func countDrop(_ reason: MQTTDropReason, _ count: Int = 1) {
        guard count > 0 else { return }
        ownDrops.add(count, reason)
        eventLoop.core.metrics?.dropped(count, reason)
    }

    /// Nobody may hold the socket for ever: acknowledgements wait behind it.
    private func pause(for number: UInt64) {
        // At the end the socket is read for the acknowledgements.
        guard let connection, connection.isConnected else { return endPauses(of: [number]) }
        full.insert(number)
        guard pauseTimer == nil else { return }
        connection.pauseReading()
        // The broker may have asked for a shorter one.
        let keepAlive = info?.keepAlive ?? configuration.keepAlive
        pauseTimer = eventLoop.schedule(after: keepAlive / 2) { [weak self] in
            self?.assumeIsolated { $0.pauseExpired() }
        }
    }

    private func pauseExpired() {
        connection?.resumeReading()
        let expired = full
        endPauses()
        let filters = expired.flatMap { subscriptions[$0]?.requests.map(\.filter.rawValue) ?? [] }
        logger.warning(
            """
            a subscription was full for half a keep-alive interval: the socket is read again, and what \
            exceeds twice its bound is dropped; if its consumer awaits a publish of this client, let it \
            use publishWithoutWaiting, or another client
            """,
            metadata: [
                LogKey.clientID: "\(configuration.clientID)",
                LogKey.filters: "\(filters.sorted().joined(separator: ", "))",
            ])
    }

    /// From here on, until they have room, full subscriptions hold nothing back.
    func endPauses() {
        pauseTimer?.cancel()
        pauseTimer = nil
        let paused = full
        full = []
        endPauses(of: paused)
    }

    private func endPauses(of numbers: Set<UInt64>) {
        for number in numbers {
            if case .channel(let channel)? = subscriptions[number]?.sink { channel.endPause() }
        }
    }

    /// The consumer of a full subscription has caught up.
    func consumed(_ number: UInt64) {
        // Meanwhile it may be full again, and does not say so twice.
        if case .channel(let channel)? = subscriptions[number]?.sink, channel.isFull { return }
        full.remove(number)
        resumeIfPossible()
    }

    private func resumeIfPossible() {
        guard full.isEmpty else { return }
        pauseTimer?.cancel()
        pauseTimer = nil
        connection?.resumeReading()
    }

    // MARK: Ends

    /// Forgets a subscription, and unsubscribes from what no other one asks for.
    func endSubscription(_ number: UInt64, error: MQTTError?) {
        unsubscribe(from: removeSubscription(number, error: error))
    }

    /// As ``endSubscription(_:error:)``, and waits for the broker's answer.
    func unsubscribe(
        _ number: UInt64, userProperties: [MQTTProperties.UserProperty]
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        try userProperties.validate()
        let filters = removeSubscription(number, error: nil)
        return try await acknowledgement {
            unsubscribe(from: filters, userProperties: userProperties, completion: $0)
        }
    }

    /// Forgets a subscription, and returns the filters that no other one asks for.
    private func removeSubscription(_ number: UInt64, error: MQTTError?) -> Set<MQTTTopicFilter> {
        guard let subscription = subscriptions.removeValue(forKey: number) else { return [] }
        end(subscription, error)
        consumed(number)
        return Set(router.remove(number, subscription.requests))
    }

    func endAllSubscriptions(_ error: MQTTError?) {
        let all = subscriptions
        subscriptions = [:]
        router.removeAll()
        sessionBroker = nil
        full = []
        pauseTimer?.cancel()
        pauseTimer = nil
        for subscription in all.values { end(subscription, error) }
    }

    private func end(_ subscription: ClientSubscription, _ error: MQTTError?) {
        switch subscription.sink {
        case .channel(let channel): channel.end(error)
        case .responses(let topic): responses.remove(topic)
        }
    }
}
