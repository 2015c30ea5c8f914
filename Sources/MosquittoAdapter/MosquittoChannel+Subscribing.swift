internal import Connectivity
internal import DeviceDomain
internal import DeviceTopics
internal import Logging
internal import MQTTClient

extension MosquittoChannel {
    /// Makes sure that a part of a home is subscribed to.
    /// - Throws: `notConnected` without a link, `notPermitted` if the broker refuses a filter.
    func cover(_ home: HomeID, _ scope: SurveyScope) async throws(CommunicationError) {
        guard connection?.isConnected == true else { throw .noConnection }
        let waiter = HomeRecord.Waiter()
        switch want(home, scope) {
        case .nothing: return
        case .wait: homes[home]?.add(waiter)
        case .subscribe(let union):
            homes[home]?.add(waiter)
            subscribe(to: home, union)
        }
        try await waiter.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Notes the wish for a part of a home, which holds for later connections too.
    func want(_ home: HomeID, _ scope: SurveyScope) -> HomeCoverage.Action {
        homes[home, default: HomeRecord(home)].coverage.want(
            scope, isConnected: connection?.isConnected == true)
    }

    /// Sends one SUBSCRIBE with every filter of a scope.
    func subscribe(to home: HomeID, _ scope: SurveyScope) {
        do {
            let requests = try requests(home, scope)
            connection?.subscribe(requests) { [weak self] result in
                self?.assumeIsolated { $0.answered(home, scope, requests, result) }
            }
        } catch {
            end(home, scope, .failure(CommunicationError(error)))
        }
    }

    private func requests(
        _ home: HomeID, _ scope: SurveyScope
    ) throws(MQTTError) -> [MQTTSubscriptionRequest] {
        let subscriptions =
            switch scope {
            case .everyDevice: TopicSubscription.home(home, controller: configuration.controller)
            case .device(let device):
                TopicSubscription.device(device, in: home, controller: configuration.controller)
            }
        return try subscriptions.map { subscription throws(MQTTError) in
            try MQTTSubscriptionRequest(subscription)
        }
    }

    private func answered(
        _ home: HomeID, _ scope: SurveyScope, _ requests: [MQTTSubscriptionRequest],
        _ result: Result<[MQTTReasonCode], MQTTError>
    ) {
        switch result {
        case .failure(let error):
            end(home, scope, .failure(CommunicationError(error)))
        case .success(let reasons):
            let refused = zip(requests, reasons).first { $0.1.isError }
            end(home, scope, refused.map { .failure(.refused($0.0, $0.1)) } ?? .success(()))
        }
    }

    private func end(
        _ home: HomeID, _ scope: SurveyScope, _ result: Result<Void, CommunicationError>
    ) {
        switch result {
        case .success:
            if let device = homes[home]?.coverage.granted(scope) {
                unsubscribe(from: device, in: home)
            }
        case .failure(let error):
            logger.debug("subscription failed", metadata: [LogKey.error: "\(error)"])
            homes[home]?.coverage.refused(scope)
        }
        if homes[home]?.coverage.requested == nil { homes[home]?.answered(result) }
        announceIfReady()
    }

    private func unsubscribe(from device: DeviceID, in home: HomeID) {
        do {
            let kept = try requests(home, .everyDevice).map(\.filter)
            let superfluous = try requests(home, .device(device)).map(\.filter)
            connection?.unsubscribe(superfluous.filter { !kept.contains($0) })
        } catch {
            logger.debug("filters were not given up", metadata: [LogKey.error: "\(error)"])
        }
    }
}

extension CommunicationError {
    fileprivate static func refused(
        _ request: MQTTSubscriptionRequest, _ reason: MQTTReasonCode
    ) -> CommunicationError {
        CommunicationError(
            .notPermitted,
            "the broker does not let us subscribe to \(request.filter) (\(reason)): "
                + "allow it in the broker's access control")
    }
}
