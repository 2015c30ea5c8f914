extension MQTTClient {
    /// Subscribes to all of the filters. Throws with the broker's reason if it refuses one of them, and
    /// `notConnected` without a connection.
    ///
    /// The stream is bounded by `buffering`. A message that matches several filters is delivered once to each
    /// subscription if the broker sends it once; where filters overlap and none covers the others, it may come
    /// twice: see <doc:Delivery>.
    ///
    /// If several subscriptions have the same filter, the SUBSCRIBE asks for what suits all of them: the
    /// highest QoS, and own messages and retain flags if one subscription wants them. On MQTT 5 it carries
    /// `userProperties`, also after a lost session; then, of several subscriptions, those of the oldest.
    public func subscribe(
        to requests: [MQTTSubscriptionRequest], buffering: MQTTBufferPolicy = .suspend,
        userProperties: [MQTTProperties.UserProperty] = []
    ) async throws(MQTTError) -> MQTTSubscription {
        guard connection != nil else { throw .notConnected }
        let number = calls.nextNumber()
        let channel = SubscriptionChannel(policy: buffering, eventLoop: eventLoop) { [weak self] in
            self?.onLoop { $0.consumed(number) }
        }
        let subscription = ClientSubscription(
            sink: .channel(channel), userProperties: userProperties)
        do throws(MQTTError) {
            let answer = try await acknowledgement {
                add(subscription, requests, as: number, completion: $0)
            }
            return MQTTSubscription(
                number, of: self, channel: channel, acknowledgement: answer)
        } catch {
            endSubscription(number, error: error)
            throw error
        }
    }

    /// Registers a subscription and subscribes, in this order: retained messages may come before the SUBACK.
    func add(
        _ subscription: ClientSubscription, _ requests: [MQTTSubscriptionRequest],
        as number: UInt64, completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        subscriptions[number] = subscription
        ask(
            for: filters.add(number, requests, replaying: true), subscription.userProperties,
            completion: completion)
    }

    // MARK: Messages

    func route(_ message: MQTTMessage) {
        let isWanted = filters.forEachRecipient(of: message) { push(message, to: $0) }
        if !isWanted { countDrop(.unmatched) }
    }

    private func push(_ message: MQTTMessage, to number: UInt64) {
        switch subscriptions[number]?.sink {
        case .channel(let channel)?:
            switch channel.push(message) {
            case .accepted: break
            case .dropped: countDrop(.bufferOverflow)
            case .full: pauseReading(for: number)
            }
        case .responses?:
            if !requests.answer(with: message) { countDrop(.lateResponse) }
        case nil: break
        }
    }

    func countDrop(_ reason: MQTTDropReason, _ count: Int = 1) {
        guard count > 0 else { return }
        ownDrops.add(count, reason)
        eventLoop.core.metrics?.dropped(count, reason)
    }

    /// Limits how long a full subscription may stop reading, because acknowledgements are not read either.
    private func pauseReading(for number: UInt64) {
        // While draining the socket is read for acknowledgements.
        guard let connection, connection.isConnected else { return endPauses(of: [number]) }
        pause.begin(for: number) {
            connection.pauseReading()
            // The broker may require a shorter interval.
            let keepAlive = current?.info?.keepAlive ?? configuration.keepAlive
            return eventLoop.schedule(after: keepAlive / 2) { [weak self] in
                self?.assumeIsolated { $0.pauseExpired() }
            }
        }
    }

    private func pauseExpired() {
        connection?.resumeReading()
        let expired = pause.end()
        endPauses(of: expired)
        let names = expired.flatMap { filters.filters(of: $0).map(\.rawValue) }
        logger.warnOfFull(names.sorted(), of: configuration.clientID)
    }

    /// From now on full subscriptions drop messages, until they have room, instead of stopping the socket.
    func endPauses(of numbers: Set<UInt64>) {
        for number in numbers { subscriptions[number]?.channel?.endPause() }
    }

    /// The consumer of a full subscription has caught up.
    func consumed(_ number: UInt64) {
        // It may be full again by now, which it does not report twice.
        if subscriptions[number]?.channel?.isFull == true { return }
        if pause.end(for: number) { connection?.resumeReading() }
    }

    // MARK: Ends

    /// Removes a subscription, and unsubscribes from filters that no other one needs.
    func endSubscription(_ number: UInt64, error: MQTTError?) {
        if removeSubscription(number, error: error) { unsubscribe() }
    }

    /// As ``endSubscription(_:error:)``, and waits for the broker's answer.
    func unsubscribe(
        _ number: UInt64, userProperties: [MQTTProperties.UserProperty]
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        try userProperties.validate()
        guard removeSubscription(number, error: nil) else {
            return MQTTAcknowledgement(reasonCodes: [])
        }
        return try await acknowledgement {
            unsubscribe(userProperties: userProperties, completion: $0)
        }
    }

    /// Removes a subscription. Returns whether there are filters to unsubscribe from.
    private func removeSubscription(_ number: UInt64, error: MQTTError?) -> Bool {
        guard let subscription = subscriptions.removeValue(forKey: number) else { return false }
        end(subscription, error)
        consumed(number)
        let (missing, isUnsubscribeDue) = filters.remove(number)
        renew(missing)
        return isUnsubscribeDue
    }

    func endAllSubscriptions(_ error: MQTTError?) {
        let all = subscriptions
        subscriptions = [:]
        filters.removeAll()
        _ = pause.end()
        for subscription in all.values { end(subscription, error) }
    }

    private func end(_ subscription: ClientSubscription, _ error: MQTTError?) {
        switch subscription.sink {
        case .channel(let channel): channel.end(error)
        case .responses(let topic): requests.topics.remove(topic)
        }
    }
}
