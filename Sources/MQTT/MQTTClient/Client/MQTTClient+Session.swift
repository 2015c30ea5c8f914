/// Keeps the broker's session of this client as the subscriptions want it.
extension MQTTClient {
    /// The broker has accepted the connection. Subscribes to what its session lacks, and unsubscribes from
    /// what has ended meanwhile.
    func beginSession(_ info: MQTTConnectionInfo) {
        let missing = filters.connected(
            to: info.broker, isSessionPresent: info.sessionPresent,
            offersIdentifiers: info.limits.subscriptionIdentifiersAvailable)
        unsubscribe()
        renew(missing)
    }

    /// Sends SUBSCRIBE; fails if the broker refuses a filter. The answer is recorded when it comes, because
    /// the connection may be lost and back before the caller runs again.
    func ask(
        for requests: [FilterRequest], _ userProperties: [MQTTProperties.UserProperty],
        completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        guard let connection else { return completion(.failure(.notConnected)) }
        connection.subscribe(
            requests.map(\.request), userProperties: userProperties
        ) { [weak self] result in
            self?.assumeIsolated { $0.answered(requests, result) }
            completion(
                result.flatMap { answer in
                    guard let refused = answer.reasonCodes.firstIndex(where: \.isError) else {
                        return .success(answer)
                    }
                    return .failure(
                        .refused(requests[refused].filter, answer.reasonCodes[refused]))
                })
        }
    }

    private func answered(
        _ requests: [FilterRequest], _ result: Result<MQTTAcknowledgement, MQTTError>
    ) {
        switch result {
        case .success(let answer):
            // A narrower filter is at the broker before the one that covered it is given up.
            renew(filters.answered(requests, answer.reasonCodes))
            if !filters.surplus.isEmpty { unsubscribe() }
        case .failure(let error) where error.code == .connectionLost:
            // The broker may have subscribed. The next connection requests what it lacks.
            break
        case .failure: filters.notSent(requests)
        }
    }

    /// Requests filters with the user properties of the subscriptions that have had them for longest. A
    /// subscription that cannot be renewed ends.
    func renew(_ requests: [FilterRequest]) {
        let calls = Dictionary(grouping: requests) { filters.subscribers(of: $0).first ?? 0 }
        for (number, requests) in calls.sorted(by: { $0.key < $1.key }) {
            ask(for: requests, subscriptions[number]?.userProperties ?? []) { [weak self] result in
                // If the connection is lost before the answer, the next one subscribes again.
                guard case .failure(let error) = result,
                    ![.connectionLost, .notConnected, .closed].contains(error.code)
                else { return }
                self?.assumeIsolated { $0.renewalFailed(requests, of: number, error) }
            }
        }
    }

    private func renewalFailed(
        _ requests: [FilterRequest], of number: UInt64, _ error: MQTTError
    ) {
        if error.code == .subscriptionRefused {
            for number in Set(requests.flatMap(filters.subscribers)) {
                guard case .refused(let filter, let reason) = filters.standing(of: number) else {
                    continue
                }
                endSubscription(number, error: .refused(filter, reason))
            }
        } else {
            endSubscription(number, error: error)
            renew(filters.askUnserved())
        }
    }

    /// Unsubscribes from what no subscription needs, now or, if the session may outlive the connection, after
    /// the next reconnect. The completion comes once, also if nothing needs to be sent.
    func unsubscribe(
        userProperties: [MQTTProperties.UserProperty] = [],
        completion: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void = { _ in }
    ) {
        guard let connection, connection.isConnected else {
            return completion(.failure(.notConnected))
        }
        let surplus = filters.takeSurplus()
        guard !surplus.isEmpty else { return completion(.success(.init(reasonCodes: []))) }
        connection.unsubscribe(surplus, userProperties: userProperties) { [self] result in
            if case .failure = result { filters.notUnsubscribed(surplus) }
            completion(result)
        }
    }
}
