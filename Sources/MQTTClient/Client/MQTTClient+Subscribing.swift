private import Logging

extension MQTTClient {
    /// Subscribes to all of the filters, or throws: with the broker's reason if it refuses one of them,
    /// with `notConnected` without a connection.
    ///
    /// The stream is bounded by `buffering`. A message that matches filters of several subscriptions goes
    /// to each of them, as often as the broker sends it.
    public func subscribe(
        to requests: [MQTTSubscriptionRequest], buffering: MQTTBufferPolicy = .suspend
    ) async throws(MQTTError) -> MQTTSubscription {
        guard connection != nil else { throw notConnected }
        let number = nextNumber()
        let channel = SubscriptionChannel(policy: buffering) { [weak self] in
            self?.onLoop { $0.consumed(number) }
        }
        // Retained messages may come before the SUBACK.
        subscriptions[number] = ClientSubscription(requests: requests, channel: channel)
        do throws(MQTTError) {
            let reasons = try await requestSubscription(requests)
            if let refused = reasons.firstIndex(where: \.isError) {
                throw refusal(requests[refused].filter, reasons[refused])
            }
            subscriptions[number]?.isGranted = true
            return MQTTSubscription(channel: channel, reasonCodes: reasons) { [weak self] in
                self?.onLoop { $0.endSubscription(number, error: nil) }
            }
        } catch {
            endSubscription(number, error: error)
            throw error
        }
    }

    private func requestSubscription(
        _ requests: [MQTTSubscriptionRequest]
    ) async throws(MQTTError) -> [MQTTReasonCode] {
        guard let connection else { throw notConnected }
        let number = nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                subscribing.insert(continuation, as: number)
                connection.subscribe(requests) {
                    self.subscribing.resume(number, with: $0)
                }
            }
        } onCancel: {
            self.onLoop { $0.subscribing.resume(number, with: .failure(.waitCancelled)) }
        }
        return try result.get()
    }

    private func refusal(_ filter: MQTTTopicFilter, _ reason: MQTTReasonCode) -> MQTTError {
        MQTTError(
            .connectionRefused, "the broker refused the subscription to \(filter): \(reason)",
            reasonCode: reason)
    }

    // MARK: Messages

    func route(_ message: MQTTMessage) {
        for (number, subscription) in subscriptions where subscription.matches(message.topic) {
            if subscription.channel.push(message) { pause(for: number) }
        }
    }

    /// Nobody may hold the socket for ever: acknowledgements wait behind it.
    private func pause(for number: UInt64) {
        full.insert(number)
        guard pauseTimer == nil, let connection else { return }
        connection.pauseReading()
        pauseTimer = eventLoop.schedule(after: configuration.keepAlive / 2) { [weak self] in
            self?.assumeIsolated { $0.pauseExpired() }
        }
    }

    private func pauseExpired() {
        connection?.resumeReading()
        logger.debug(
            "reading again although a subscription is full",
            metadata: [LogKey.clientID: "\(configuration.clientID)"])
    }

    /// The consumer of a full subscription has caught up.
    private func consumed(_ number: UInt64) {
        full.remove(number)
        resumeIfPossible()
    }

    private func resumeIfPossible() {
        guard full.isEmpty else { return }
        pauseTimer?.cancel()
        pauseTimer = nil
        connection?.resumeReading()
    }

    // MARK: Ends and renewals

    /// Forgets a subscription, and unsubscribes from what no other one asks for.
    func endSubscription(_ number: UInt64, error: MQTTError?) {
        guard let subscription = subscriptions.removeValue(forKey: number) else { return }
        subscription.channel.end(error)
        consumed(number)
        let kept = Set(subscriptions.values.flatMap { $0.requests.map(\.filter) })
        let filters = subscription.requests.map(\.filter).filter { !kept.contains($0) }
        guard let connection, connection.isConnected, !filters.isEmpty else { return }
        connection.unsubscribe(filters)
    }

    func endAllSubscriptions(_ error: MQTTError?) {
        let all = subscriptions
        subscriptions = [:]
        full = []
        pauseTimer?.cancel()
        pauseTimer = nil
        for subscription in all.values { subscription.channel.end(error) }
    }

    /// The broker has no session: everything that it had granted is asked for again.
    func renewSubscriptions() {
        for (number, subscription) in subscriptions where subscription.isGranted {
            connection?.subscribe(subscription.requests) { [self] result in
                renewed(number, subscription.requests, result)
            }
        }
    }

    private func renewed(
        _ number: UInt64, _ requests: [MQTTSubscriptionRequest],
        _ result: Result<[MQTTReasonCode], MQTTError>
    ) {
        guard case .success(let reasons) = result,
            let refused = reasons.firstIndex(where: \.isError)
        else { return }
        endSubscription(number, error: refusal(requests[refused].filter, reasons[refused]))
    }
}
