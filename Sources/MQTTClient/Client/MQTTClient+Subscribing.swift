private import Logging

extension MQTTClient {
    /// Subscribes to all of the filters. Throws with the broker's reason if it refuses one of them, and
    /// `notConnected` without a connection.
    ///
    /// The stream is bounded by `buffering`. A message that matches several filters is delivered once to each
    /// subscription if the broker sends it once. On 3.1.1, and in a session that an earlier process created,
    /// it is delivered as often as the broker sends it.
    ///
    /// On MQTT 5 it is also delivered once if the broker sends a copy per filter, as far as the client can
    /// recognise copies. The client gives an identifier to at most one of the filters that a topic can match,
    /// which identifies one copy. Further copies, and all copies for filters without an identifier, look like
    /// separate equal messages and are delivered as such, until messages on this connection have shown that
    /// the broker sends a copy per filter and has these filters. Only messages that also match a filter with
    /// an identifier show that, that are not retained, and whose filters agree in QoS, `noLocal` and
    /// `retainAsPublished`. Copies for filters without an identifier are never recognised if one of them is
    /// shared or if `noLocal` differs. If filters overlap, one of two messages that are equal in everything
    /// but QoS and close together may be mistaken for a copy. To receive such messages reliably, subscribe
    /// to filters that do not overlap.
    ///
    /// If several subscriptions have the same filter, the SUBSCRIBE asks for what suits all of them: the
    /// highest QoS, and own messages and retain flags if one subscription wants them.
    ///
    /// On MQTT 5 every SUBSCRIBE for these filters carries `userProperties`, also after a lost session.
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

    /// Limits how long a full subscription may stop reading, because acknowledgements are not read either.
    private func pause(for number: UInt64) {
        // While draining the socket is read for acknowledgements.
        guard let connection, connection.isConnected else { return endPauses(of: [number]) }
        full.insert(number)
        guard pauseTimer == nil else { return }
        connection.pauseReading()
        // The broker may require a shorter interval.
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

    /// From now on full subscriptions drop messages, until they have room, instead of stopping the socket.
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
        // It may be full again by now, which it does not report twice.
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

    /// Removes a subscription, and unsubscribes from filters that no other one has.
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

    /// Removes a subscription, and returns the filters that no other one has.
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
