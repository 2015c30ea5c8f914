/// What the broker's session of this client holds, and what it must be told after a reconnect.
extension MQTTClient {
    /// The broker has accepted. What its session lacks is asked for again, and what has ended meanwhile
    /// is taken out of it.
    func beginSession(_ info: MQTTConnectionInfo) {
        // Another broker may have a session too, of an earlier time.
        let isOurs = info.sessionPresent && info.broker == sessionBroker
        if !isOurs {
            for number in subscriptions.keys { subscriptions[number]?.isInSession = false }
            isSessionForeign = info.sessionPresent
        }
        sessionBroker = info.broker
        router.connected(
            usesIdentifiers: info.limits.subscriptionIdentifiersAvailable && !isSessionForeign)
        for subscription in subscriptions.values where subscription.isInSession {
            router.granted(subscription.requests.map(\.filter))
        }
        if info.sessionPresent { unsubscribe(from: leftovers) }
        leftovers = []
        renewSubscriptions()
    }

    /// Asks the broker for a subscription; fails where it refuses one of the filters. The answer is noted as it
    /// comes: until the caller runs again, the connection may be lost and back.
    func askBroker(
        for number: UInt64, completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        guard let connection, let subscription = subscriptions[number] else {
            return completion(.failure(notConnected))
        }
        let requests = subscription.requests
        connection.subscribe(
            requests.map { router.asked(for: $0) }, userProperties: subscription.userProperties
        ) { [weak self] result in
            completion(
                result.flatMap { answer in
                    self?.assumeIsolated { $0.note(answer.reasonCodes, for: number) }
                    guard let refused = answer.reasonCodes.firstIndex(where: \.isError) else {
                        return .success(answer)
                    }
                    return .failure(
                        Self.refusal(requests[refused].filter, answer.reasonCodes[refused]))
                })
        }
    }

    private func note(_ reasons: [MQTTReasonCode], for number: UInt64) {
        guard let requests = subscriptions[number]?.requests else { return }
        let granted = zip(requests, reasons).filter { !$1.isError }.map(\.0.filter)
        router.granted(granted)
        guard granted.count == requests.count else { return }
        subscriptions[number]?.isGranted = true
        subscriptions[number]?.isInSession = true
    }

    private static func refusal(
        _ filter: MQTTTopicFilter, _ reason: MQTTReasonCode
    ) -> MQTTError {
        MQTTError(
            .subscriptionRefused,
            "the broker refused the subscription to \(filter): \(reason); \(reason.advice)",
            reasonCode: reason)
    }

    /// Unsubscribes, now or, where the session may outlive the connection, after the next reconnect. The
    /// completion comes once, also where there is nothing to ask the broker for.
    func unsubscribe(
        from filters: Set<MQTTTopicFilter>, userProperties: [MQTTProperties.UserProperty] = [],
        completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void = { _ in }
    ) {
        guard !filters.isEmpty else { return completion(.success(.init(reasonCodes: []))) }
        guard let connection, connection.isConnected else {
            leftovers.formUnion(filters)
            return completion(.failure(notConnected))
        }
        connection.unsubscribe(Array(filters), userProperties: userProperties) { [self] result in
            if case .failure = result { leftovers.formUnion(filters) }
            completion(result)
        }
    }

    /// Asks again for what had been granted and is not in the broker's session; in the order of the first
    /// time, in which most filters with an identifier come before those that they overlap with.
    private func renewSubscriptions() {
        for (number, subscription) in subscriptions.sorted(by: { $0.key < $1.key })
        where subscription.isGranted && !subscription.isInSession {
            askBroker(for: number) { [self] result in
                // Without a connection that lasts until the answer it is asked for again with the next one.
                guard case .failure(let error) = result,
                    ![.connectionLost, .notConnected, .closed].contains(error.code)
                else { return }
                endSubscription(number, error: error)
            }
        }
    }
}
