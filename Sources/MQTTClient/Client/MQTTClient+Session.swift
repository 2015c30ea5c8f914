/// Synchronises subscriptions with the broker's session of this client after a reconnect.
extension MQTTClient {
    /// The broker has accepted the connection. Subscribes to what its session lacks, and unsubscribes from
    /// what has ended meanwhile.
    func beginSession(_ info: MQTTConnectionInfo) {
        // Another broker may have an older session of this client.
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

    /// Sends SUBSCRIBE for a subscription; fails if the broker refuses a filter. The answer is recorded when it
    /// comes, because the connection may be lost and back before the caller runs again.
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

    /// Unsubscribes now or, if the session may outlive the connection, after the next reconnect. The
    /// completion comes once, also if nothing needs to be sent.
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

    /// Subscribes again to what had been granted and is not in the broker's session, in the original order:
    /// there most filters with an identifier come before those that they overlap with.
    private func renewSubscriptions() {
        for (number, subscription) in subscriptions.sorted(by: { $0.key < $1.key })
        where subscription.isGranted && !subscription.isInSession {
            askBroker(for: number) { [self] result in
                // If the connection is lost before the answer, the next one subscribes again.
                guard case .failure(let error) = result,
                    ![.connectionLost, .notConnected, .closed].contains(error.code)
                else { return }
                endSubscription(number, error: error)
            }
        }
    }
}
