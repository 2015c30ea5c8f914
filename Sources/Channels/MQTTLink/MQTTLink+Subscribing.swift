internal import Basics
internal import Logging
public import MQTTClient

/// One subscription of an ``MQTTLink`` to some filters. It survives reconnects.
public struct MQTTLinkSubscription: Hashable, Sendable {
    let number: UInt64
}

extension MQTTLink {
    /// Subscribes to filters, from now on and across reconnects. It starts to connect a link that was never
    /// opened.
    /// - Parameter replaying: whether to request the retained messages even if the broker has the
    ///   filters already.
    public nonisolated func subscribe(
        to requests: [MQTTSubscriptionRequest], replaying: Bool = true
    ) -> MQTTLinkSubscription {
        let subscription = MQTTLinkSubscription(number: makeNumber())
        perform { link in
            let missing = link.subscriptions.add(
                subscription.number, requests, replaying: replaying)
            link.startIfNeeded()
            link.enqueue(missing)
        }
        return subscription
    }

    /// Ends a subscription. The filters that no other one needs are removed from the broker.
    public nonisolated func unsubscribe(_ subscription: MQTTLinkSubscription) {
        perform { link in
            let missing = link.subscriptions.remove(subscription.number).requests
            link.waits.endGrant(of: subscription, .failure(.unsubscribed))
            link.enqueue(missing)
        }
    }

    private static let subscribePause = Duration.milliseconds(500)

    /// Waits until the broker has granted every filter of a subscription on the present connection.
    /// - Throws: `notConnected` without a connection, `subscriptionRefused` if the broker refuses
    ///   a filter, `connectionLost` if the connection is lost first, all of which leave the subscription
    ///   as it is; `closed` if it was ended.
    public func waitUntilGranted(_ subscription: MQTTLinkSubscription) async throws(MQTTError) {
        guard isConnected else { throw .noConnection }
        if let result = result(of: subscription) { return try result.get() }
        let slot = LinkWaits.Slot()
        waits.waitForGrant(of: subscription, slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Requests the retained messages of subscribed filters again.
    public nonisolated func replay(_ filters: [MQTTTopicFilter]) {
        perform { link in
            guard link.isConnected else { return }
            link.enqueue(link.subscriptions.replay(filters))
        }
    }

    /// Waits until the broker has answered every SUBSCRIBE on the present connection, also those that
    /// are still to be sent.
    /// - Throws: `notConnected` without a connection, `connectionLost` if it is lost first.
    public func waitUntilSettled() async throws(MQTTError) {
        guard isConnected else { throw .noConnection }
        guard !isSettled else { return }
        let slot = LinkWaits.Slot()
        waits.waitForSettlement(slot)
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    private var isSettled: Bool { subscriptions.isSettled && subscribes.isIdle }

    // MARK: SUBSCRIBE and UNSUBSCRIBE

    /// Sends SUBSCRIBEs one at a time, and the UNSUBSCRIBE after them. Without a connection the next one
    /// requests every filter.
    func enqueue(_ requests: [FilterRequest]) {
        guard isConnected else { return }
        subscribes.add(requests)
        guard !subscribes.isLookUpDue else { return }
        subscribes.isLookUpDue = true
        // Not at once, so that subscriptions made in one turn of the loop share a packet.
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { link in
                link.subscribes.isLookUpDue = false
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
        guard let call = subscribes.next(where: subscriptions.isCurrent) else {
            if subscribes.underWay == nil, !subscriptions.surplus.isEmpty {
                connection.unsubscribe(subscriptions.takeSurplus())
            }
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
        guard subscribes.ended(call), let reasons = reasons(for: call.requests, result) else {
            return
        }
        let isFailure = zip(call.requests, reasons).map { shouldRepeat($0, after: $1) }
        repeatLater(zip(call.requests, isFailure).filter(\.1).map(\.0))
        let settled = zip(zip(call.requests, reasons), isFailure).filter { !$1 }.map(\.0)
        subscribes.add(subscriptions.answered(settled.map(\.0), settled.map(\.1)))
        proceed()
    }

    /// Whether to subscribe to a filter once more: the broker failed to process it, which need not last.
    private func shouldRepeat(_ request: FilterRequest, after reason: MQTTReasonCode) -> Bool {
        reason.mayPass && subscriptions.isCurrent(request) && subscribes.failed(request.filter)
    }

    /// Subscribes again after a pause. Until then the filters count as unanswered.
    private func repeatLater(_ requests: [FilterRequest]) {
        guard !requests.isEmpty else { return }
        eventLoop.schedule(after: Self.subscribePause) { [weak self] in
            self?.assumeIsolated { link in
                // A later connection requests every filter anyway.
                guard link.isConnected, link.subscribes.haveFailed(requests) else { return }
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

    /// The broker's reasons for filters; `nil` if the connection was lost, after which the filters are
    /// requested again. A dropped answer counts as a grant, because the broker has processed the
    /// SUBSCRIBE; one that could not be sent counts as refused.
    private func reasons(
        for requests: [FilterRequest], _ result: Result<[MQTTReasonCode], MQTTError>
    ) -> [MQTTReasonCode]? {
        switch result {
        case .success(let reasons): return reasons
        case .failure(let error):
            logger.debug("SUBSCRIBE failed", metadata: ["error": "\(error)"])
            guard isConnected, error.code != .connectionLost else { return nil }
            let isDropped = error.code == .acknowledgementTimeout
            return requests.map { request -> MQTTReasonCode in
                if isDropped { return .success }
                // Only wildcards can be unsupported here; the other filters are tried again without them.
                guard request.filter.hasWildcard else { return .unspecifiedError }
                return error.reasonCode ?? .unspecifiedError
            }
        }
    }

    // MARK: Waiting tasks

    /// What the broker has answered on a subscription; `nil` while an answer is outstanding.
    private func result(of subscription: MQTTLinkSubscription) -> Result<Void, MQTTError>? {
        switch subscriptions.standing(of: subscription.number) {
        case .unanswered: nil
        case .granted: .success(())
        case .refused(let filter, let reason): .failure(.refused(filter, reason))
        case .ended: .failure(.unsubscribed)
        }
    }

    private func resolveWaits() {
        for subscription in waits.subscriptions {
            if let result = result(of: subscription) { waits.endGrant(of: subscription, result) }
        }
        if isSettled { waits.endSettlements(.success(())) }
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
    /// What to do about a refused SUBSCRIBE.
    var subscriptionRemedy: String {
        switch self {
        case .notAuthorized: "allow it in the broker's access control"
        case .unspecifiedError, .implementationSpecificError:
            "the broker failed, or its access control forbids it; look for the cause in the broker's log"
        case .wildcardSubscriptionsNotSupported:
            "this broker offers no wildcard subscriptions, which Homeport needs; use one that does"
        case .quotaExceeded: "raise the number of subscriptions that the broker allows a client"
        default: "look for the cause in the broker's log"
        }
    }
}
