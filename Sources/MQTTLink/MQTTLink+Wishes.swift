internal import Logging
public import MQTTClient

extension MQTTLink {
    /// Wants what matches some filters, from now on and across reconnects. It begins to connect a
    /// link that was never opened.
    /// - Parameter replaying: whether the retained messages are wanted also where the broker has the
    ///   filters already; they then come to everybody who wants them.
    public nonisolated func want(
        _ requests: [MQTTSubscriptionRequest], replaying: Bool = true, to sink: MQTTSink
    ) -> MQTTWish {
        let wish = MQTTWish(number: makeNumber())
        perform { $0.add(wish, requests, replaying, sink) }
        return wish
    }

    /// Wants it no more.
    public nonisolated func drop(_ wish: MQTTWish) {
        perform { link in
            let filters = link.fanOut.remove(wish)
            link.end(wish, .failure(.linkClosed))
            let isConnected = link.connection?.isConnected == true
            link.carryOut(link.filters.remove(filters, isConnected: isConnected))
            link.announceIfSettled()
        }
    }

    /// Waits until the broker has granted every filter of a wish on the present connection.
    /// - Throws: `notConnected` without a connection, `subscriptionRefused` if the broker refuses
    ///   one, `connectionLost` if the connection is lost meanwhile; the wish stays.
    public func granted(_ wish: MQTTWish) async throws(MQTTError) {
        guard connection?.isConnected == true else { throw .noConnection }
        if let verdict = verdict(on: wish) { return try verdict.get() }
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        grants[wish, default: []].append(slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    private func add(
        _ wish: MQTTWish, _ requests: [MQTTSubscriptionRequest], _ replaying: Bool,
        _ sink: MQTTSink
    ) {
        fanOut.add(wish, requests.map(\.filter), to: sink)
        startIfNeeded()
        carryOut(
            filters.add(
                requests, replaying: replaying, isConnected: connection?.isConnected == true))
    }

    // MARK: Subscribing

    /// Subscribes in packets of 100 filters, then gives up what is superfluous.
    func carryOut(_ plan: FilterBook.Plan) {
        var rest = plan.subscribe[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(FilterBook.batch))
            rest = rest.dropFirst(batch.count)
            subscribe(batch, thenGivingUp: rest.isEmpty ? plan.unsubscribe : [])
        }
        if plan.subscribe.isEmpty { unsubscribe(plan.unsubscribe) }
    }

    private func subscribe(
        _ requests: [MQTTSubscriptionRequest], thenGivingUp superfluous: [MQTTTopicFilter]
    ) {
        connection?.subscribe(requests) { [weak self] result in
            self?.assumeIsolated { link in
                guard let reasons = link.reasons(requests, result) else { return }
                link.carryOut(link.filters.answered(requests, reasons))
                link.unsubscribe(superfluous)
                link.endWishes()
                link.announceIfSettled()
            }
        }
    }

    /// What the broker said; `nil` where the connection was lost, which answers nothing: the filters
    /// are asked for again. What cannot even be asked for counts as refused.
    private func reasons(
        _ requests: [MQTTSubscriptionRequest], _ result: Result<[MQTTReasonCode], MQTTError>
    ) -> [MQTTReasonCode]? {
        switch result {
        case .success(let reasons): return reasons
        case .failure(let error):
            logger.debug("subscription failed", metadata: ["error": "\(error)"])
            guard connection?.isConnected == true, error.code != .connectionLost else { return nil }
            return requests.map { _ in .unspecifiedError }
        }
    }

    private func unsubscribe(_ filters: [MQTTTopicFilter]) {
        let superfluous = self.filters.superfluous(filters)
        guard !superfluous.isEmpty, connection?.isConnected == true else { return }
        connection?.unsubscribe(superfluous)
    }

    // MARK: Answers

    private func verdict(on wish: MQTTWish) -> Result<Void, MQTTError>? {
        guard let filters = fanOut.filters(of: wish) else { return .failure(.linkClosed) }
        if let (filter, reason) = self.filters.refusal(of: filters) {
            return .failure(.refused(filter, reason))
        }
        return self.filters.isSettled && self.filters.isGranted(filters) ? .success(()) : nil
    }

    private func endWishes() {
        for wish in grants.keys {
            if let verdict = verdict(on: wish) { end(wish, verdict) }
        }
    }

    private func end(_ wish: MQTTWish, _ result: Result<Void, MQTTError>) {
        for slot in grants.removeValue(forKey: wish) ?? [] { slot.resolve(result) }
    }
}

extension MQTTError {
    fileprivate static func refused(
        _ filter: MQTTTopicFilter, _ reason: MQTTReasonCode
    ) -> MQTTError {
        MQTTError(
            .subscriptionRefused,
            "the broker does not let us subscribe to \(filter) (\(reason)): "
                + "allow it in the broker's access control",
            reasonCode: reason)
    }
}
