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

    /// Wants the retained messages of a wish's filters again.
    public nonisolated func replay(_ filters: [MQTTTopicFilter]) {
        perform { link in
            let isConnected = link.connection?.isConnected == true
            link.carryOut(link.filters.replay(filters, isConnected: isConnected))
        }
    }

    /// Waits until the broker has answered every SUBSCRIBE that is due on the present connection.
    /// - Throws: `notConnected` without a connection, `connectionLost` if it is lost meanwhile.
    public func settled() async throws(MQTTError) {
        guard connection?.isConnected == true else { throw .noConnection }
        guard !isSettled else { return }
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        settlements.append(slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Whether nothing is to be subscribed to.
    var isSettled: Bool { filters.isSettled && subscribes.isIdle }

    // MARK: Subscribing

    /// Subscribes, one packet behind the other, and at last gives up what is superfluous.
    func carryOut(_ plan: FilterBook.Plan) {
        subscribes.add(plan.subscribe)
        superfluous += plan.unsubscribe
        guard !isSubscribingDue else { return }
        isSubscribingDue = true
        // Wishes of the same moment share a packet.
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { link in
                link.isSubscribingDue = false
                link.subscribeNext()
            }
        }
    }

    private func subscribeNext() {
        guard let connection, connection.isConnected else { return }
        guard let call = subscribes.next(where: filters.isRequested) else {
            if subscribes.underWay == nil { unsubscribeSuperfluous() }
            return
        }
        let deadline = eventLoop.schedule(after: Self.answerDeadline) { [weak self] in
            self?.assumeIsolated { $0.giveUpAnswer(to: call) }
        }
        connection.subscribe(call.requests.map(\.request)) { [weak self] result in
            deadline.cancel()
            self?.assumeIsolated { $0.answered(call, result) }
        }
    }

    /// The broker has answered, or its answer is not waited for any more. An answer that was dropped
    /// counts as a grant: the broker has carried the SUBSCRIBE out.
    private func answered(
        _ call: SubscribeQueue.Call, _ result: Result<[MQTTReasonCode], MQTTError>
    ) {
        guard subscribes.ended(call), let reasons = reasons(call.requests.count, result) else {
            return
        }
        subscribes.add(takePlan(call, reasons))
        // Before those that wait are told: they may ask for the fence behind it.
        subscribeNext()
        endWishes()
        announceIfSettled()
    }

    private func takePlan(
        _ call: SubscribeQueue.Call, _ reasons: [MQTTReasonCode]
    ) -> [FilterRequest] {
        let plan = filters.answered(call.requests.map(\.filter), reasons)
        superfluous += plan.unsubscribe
        return plan.subscribe
    }

    /// Stops waiting for the answer to a SUBSCRIBE that the broker has dropped.
    func giveUpAnswer(to call: SubscribeQueue.Call) {
        guard subscribes.underWay == call else { return }
        logger.debug("the broker dropped the answer to a subscription")
        connection?.giveUpSubscribeAnswers()
    }

    /// What the broker said on so many filters; `nil` where the connection was lost, which answers
    /// nothing: the filters are asked for again. What cannot even be asked for counts as refused.
    private func reasons(
        _ count: Int, _ result: Result<[MQTTReasonCode], MQTTError>
    ) -> [MQTTReasonCode]? {
        switch result {
        case .success(let reasons): return reasons
        case .failure(let error):
            logger.debug("subscription failed", metadata: ["error": "\(error)"])
            guard connection?.isConnected == true, error.code != .connectionLost else { return nil }
            let isDropped = error.code == .acknowledgementTimeout
            return Array(repeating: isDropped ? .success : .unspecifiedError, count: count)
        }
    }

    private func unsubscribeSuperfluous() {
        let filters = filters.superfluous(superfluous)
        superfluous = []
        if !filters.isEmpty { connection?.unsubscribe(filters) }
    }

    // MARK: Answers

    private func verdict(on wish: MQTTWish) -> Result<Void, MQTTError>? {
        guard let filters = fanOut.filters(of: wish) else { return .failure(.linkClosed) }
        if let (filter, reason) = self.filters.refusal(of: filters) {
            return .failure(.refused(filter, reason))
        }
        let isOpen = filters.contains(where: self.filters.isRequested)
        return !isOpen && self.filters.isGranted(filters) ? .success(()) : nil
    }

    private func endWishes() {
        for wish in grants.keys {
            if let verdict = verdict(on: wish) { end(wish, verdict) }
        }
        guard isSettled else { return }
        for slot in settlements { slot.resolve(.success(())) }
        settlements = []
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
