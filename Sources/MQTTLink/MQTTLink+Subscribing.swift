internal import Logging
public import MQTTClient

extension MQTTLink {
    /// Delivers what matches some filters to a sink, from now on and across reconnects. It starts to
    /// connect a link that was never opened. All requests for one topic should have the same options:
    /// a filter that another one covers is served by that one.
    /// - Parameter replaying: whether to request the retained messages even if the broker has the
    ///   filters already; every sink with a matching filter then gets them.
    public nonisolated func subscribe(
        to requests: [MQTTSubscriptionRequest], replaying: Bool = true, sink: MQTTSink
    ) -> MQTTLinkSubscription {
        let subscription = MQTTLinkSubscription(number: makeNumber())
        perform { $0.add(subscription, requests, replaying, sink) }
        return subscription
    }

    /// Ends a subscription. The filters that no other one needs are removed from the broker.
    public nonisolated func unsubscribe(_ subscription: MQTTLinkSubscription) {
        perform { link in
            let filters = link.fanOut.remove(subscription)
            link.end(subscription, .failure(.unsubscribed))
            link.execute(link.filters.remove(filters, isConnected: link.isConnected))
        }
    }

    /// How often a filter is requested on one connection while the broker fails to process it.
    private static let subscribeAttempts = 3
    private static let subscribePause = Duration.milliseconds(500)

    /// Waits until the broker has granted every filter of a subscription on the present connection.
    /// - Throws: `notConnected` without a connection, `subscriptionRefused` if the broker refuses
    ///   a filter, `connectionLost` if the connection is lost first, all of which leave the subscription
    ///   as it is; `closed` if it was ended.
    public func waitUntilGranted(_ subscription: MQTTLinkSubscription) async throws(MQTTError) {
        guard isConnected else { throw .noConnection }
        if let result = result(of: subscription) { return try result.get() }
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        grants[subscription, default: []].append(slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    private func add(
        _ subscription: MQTTLinkSubscription, _ requests: [MQTTSubscriptionRequest],
        _ replaying: Bool, _ sink: MQTTSink
    ) {
        fanOut.add(subscription, requests.map(\.filter), to: sink)
        startIfNeeded()
        execute(filters.add(requests, replaying: replaying, isConnected: isConnected))
    }

    /// Requests the retained messages of subscribed filters again.
    public nonisolated func replay(_ filters: [MQTTTopicFilter]) {
        perform { link in
            link.execute(link.filters.replay(filters, isConnected: link.isConnected))
        }
    }

    /// Waits until the broker has answered every SUBSCRIBE on the present connection, also those that
    /// are still to be sent.
    /// - Throws: `notConnected` without a connection, `connectionLost` if it is lost first.
    public func waitUntilSettled() async throws(MQTTError) {
        guard isConnected else { throw .noConnection }
        guard !isSettled else { return }
        let slot = AnswerSlot<Result<Void, MQTTError>>()
        settlements.append(slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    private var isSettled: Bool { filters.isSettled && subscribes.isIdle }

    // MARK: SUBSCRIBE and UNSUBSCRIBE

    /// Sends the SUBSCRIBEs of a plan one at a time, and the UNSUBSCRIBE after them.
    func execute(_ plan: FilterTable.Plan) {
        subscribes.add(plan.subscribe)
        superfluous += plan.unsubscribe
        guard !isSubscribingDue else { return }
        isSubscribingDue = true
        // Not at once, so that subscriptions made in one turn of the loop share a packet.
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { link in
                link.isSubscribingDue = false
                link.proceed()
            }
        }
    }

    private func proceed() {
        // First, so that a fence that a waiting task publishes next is behind this SUBSCRIBE.
        subscribeNext()
        resolveWaits()
        announceIfSettled()
    }

    private func subscribeNext() {
        guard let connection, connection.isConnected else { return }
        guard let call = subscribes.next(where: filters.isCurrent) else {
            if subscribes.underWay == nil { unsubscribeSuperfluous() }
            return
        }
        let deadline = eventLoop.schedule(after: Self.answerDeadline) { [weak self] in
            self?.assumeIsolated { $0.stopWaiting(forAnswerTo: call) }
        }
        connection.subscribe(call.requests.map(\.request)) { [weak self] result in
            deadline.cancel()
            self?.assumeIsolated { $0.answered(call, result) }
        }
    }

    private func answered(
        _ call: SubscribeQueue.Call, _ result: Result<[MQTTReasonCode], MQTTError>
    ) {
        guard subscribes.ended(call), let reasons = reasons(call.requests.count, result) else {
            return
        }
        let isFailure = zip(call.requests, reasons).map { shouldRepeat($0, after: $1) }
        repeatLater(zip(call.requests, isFailure).filter(\.1).map(\.0))
        let settled = zip(zip(call.requests, reasons), isFailure).filter { !$1 }.map(\.0)
        let plan = filters.answered(settled.map(\.0), settled.map(\.1))
        subscribes.add(plan.subscribe)
        superfluous += plan.unsubscribe
        proceed()
    }

    /// Whether to subscribe to a filter once more: the broker failed to process it, which need not last.
    private func shouldRepeat(_ request: FilterRequest, after reason: MQTTReasonCode) -> Bool {
        guard reason.mayPass, filters.isCurrent(request) else { return false }
        let failures = failedSubscribes[request.filter, default: 0] + 1
        failedSubscribes[request.filter] = failures
        return failures < Self.subscribeAttempts
    }

    /// Subscribes again after a pause. Until then the filters count as unanswered.
    private func repeatLater(_ requests: [FilterRequest]) {
        guard !requests.isEmpty else { return }
        eventLoop.schedule(after: Self.subscribePause) { [weak self] in
            self?.assumeIsolated { link in
                // A later connection requests every filter anyway.
                guard link.isConnected,
                    requests.allSatisfy({ link.failedSubscribes[$0.filter] != nil })
                else { return }
                link.subscribes.add(requests)
                link.proceed()
            }
        }
    }

    /// Treats the answer to a SUBSCRIBE as dropped by the broker.
    func stopWaiting(forAnswerTo call: SubscribeQueue.Call) {
        guard subscribes.underWay == call else { return }
        logger.debug("the broker did not answer a SUBSCRIBE")
        connection?.giveUpSubscribeAnswers()
    }

    /// The broker's reasons for so many filters; `nil` if the connection was lost, after which the
    /// filters are requested again. A dropped answer counts as a grant, because the broker has processed
    /// the SUBSCRIBE; one that could not be sent counts as refused.
    private func reasons(
        _ count: Int, _ result: Result<[MQTTReasonCode], MQTTError>
    ) -> [MQTTReasonCode]? {
        switch result {
        case .success(let reasons): return reasons
        case .failure(let error):
            logger.debug("SUBSCRIBE failed", metadata: ["error": "\(error)"])
            guard isConnected, error.code != .connectionLost else { return nil }
            let isDropped = error.code == .acknowledgementTimeout
            return Array(repeating: isDropped ? .success : .unspecifiedError, count: count)
        }
    }

    private func unsubscribeSuperfluous() {
        let filters = filters.superfluous(superfluous)
        superfluous = []
        if !filters.isEmpty { connection?.unsubscribe(filters) }
    }

    // MARK: Waiting tasks

    /// What the broker has answered on a subscription; `nil` while an answer is outstanding.
    private func result(of subscription: MQTTLinkSubscription) -> Result<Void, MQTTError>? {
        guard let filters = fanOut.filters(of: subscription) else { return .failure(.unsubscribed) }
        if let (filter, reason) = self.filters.refusal(of: filters) {
            return .failure(.refused(filter, reason))
        }
        let isAnswered = !filters.contains(where: self.filters.isRequested)
        return isAnswered && self.filters.isGranted(filters) ? .success(()) : nil
    }

    private func resolveWaits() {
        for subscription in grants.keys {
            if let result = result(of: subscription) { end(subscription, result) }
        }
        guard isSettled else { return }
        for slot in settlements { slot.resolve(.success(())) }
        settlements = []
    }

    private func end(_ subscription: MQTTLinkSubscription, _ result: Result<Void, MQTTError>) {
        for slot in grants.removeValue(forKey: subscription) ?? [] { slot.resolve(result) }
    }
}

extension MQTTError {
    /// The subscription that a task waits for was ended.
    fileprivate static let unsubscribed = MQTTError(
        .closed, "the subscription was ended before the broker granted it")

    fileprivate static func refused(
        _ filter: MQTTTopicFilter, _ reason: MQTTReasonCode
    ) -> MQTTError {
        MQTTError(
            .subscriptionRefused,
            "the broker refused the subscription to \(filter) (\(reason)): "
                + reason.subscriptionRemedy,
            reasonCode: reason)
    }
}

extension MQTTReasonCode {
    /// Whether a refused SUBSCRIBE may succeed a moment later. On MQTT 3.1.1 the code is the only one, also
    /// for what the broker does not allow.
    fileprivate var mayPass: Bool {
        [.unspecifiedError, .implementationSpecificError, .quotaExceeded].contains(self)
    }

    /// What to do about a refused SUBSCRIBE.
    var subscriptionRemedy: String {
        switch self {
        case .notAuthorized: "allow it in the broker's access control"
        case .unspecifiedError, .implementationSpecificError:
            "the broker failed, or its access control forbids it; look for the cause in the broker's log"
        case .wildcardSubscriptionsNotSupported:
            "the broker offers no subscriptions with wildcards, which are needed to list a home; use "
                + "another broker"
        case .quotaExceeded: "raise the number of subscriptions that the broker allows a client"
        default: "look for the cause in the broker's log"
        }
    }
}
