/// SUBSCRIBE and UNSUBSCRIBE.
extension MQTTConnectionDriver {
    /// Filters that differ in QoS, options or identifier go in packets of their own; the completion comes
    /// once, with the codes in the order of the requests.
    func subscribe(
        _ requests: [MQTTSubscriptionRequest], userProperties: [MQTTProperties.UserProperty],
        completion: @escaping SubscribeCompletion
    ) {
        do throws(MQTTError) {
            let handle = try connectedHandle()
            try userProperties.validate()
            for request in requests { try check(request) }
            let groups = SubscribeCollector.groups(of: requests)
            for group in groups { try checkSize(of: group.requests, userProperties) }
            let collector = SubscribeCollector(count: requests.count, completion: completion)
            for (positions, group) in groups {
                let (result, packet) = handle.subscribe(
                    to: group.map(\.filter), as: group[0], userProperties: userProperties)
                guard result.isSuccess else {
                    let error = MQTTError(result, while: "subscribing")
                    core.later { collector.fail(error) }
                    continue
                }
                expect(packet) { collector.receive($0, at: positions) }
            }
            if requests.isEmpty { core.later { completion(.success(.init(reasonCodes: []))) } }
            markDirty()
        } catch {
            core.later { completion(.failure(error)) }
        }
    }

    func unsubscribe(
        _ filters: [MQTTTopicFilter], userProperties: [MQTTProperties.UserProperty],
        completion: @escaping SubscribeCompletion
    ) {
        do throws(MQTTError) {
            let handle = try connectedHandle()
            try userProperties.validate()
            guard !filters.isEmpty else {
                return core.later { completion(.success(.init(reasonCodes: []))) }
            }
            let size = MQTTPacketSize.unsubscribe(
                filters, userProperties: userProperties, version: configuration.version)
            if let error = tooLarge(size, "the UNSUBSCRIBE") { throw error }
            let (result, packet) = handle.unsubscribe(
                from: filters, userProperties: userProperties)
            guard result.isSuccess else { throw MQTTError(result, while: "unsubscribing") }
            expect(packet, completion)
            markDirty()
        } catch {
            core.later { completion(.failure(error)) }
        }
    }

    /// Notes who waits for the answer to a packet.
    private func expect(_ packet: UInt16, _ completion: @escaping SubscribeCompletion) {
        awaitAcknowledgement()
        let older = acknowledgements.updateValue(completion, forKey: packet)
        guard older != nil || window.isInFlight(packet) else { return }
        let error = identifierCameRound(packet)
        let lost = lost(because: error)
        core.later { [self, handle] in
            older?(.failure(lost))
            if self.handle === handle { fail(error) }
        }
    }

    private func connectedHandle() throws(MQTTError) -> MosquittoHandle {
        guard let handle, machine.isConnected else { throw notConnected }
        return handle
    }

    /// Throws for what the broker has said that it does not support.
    private func check(_ request: MQTTSubscriptionRequest) throws(MQTTError) {
        let filter = request.filter
        if filter.isShared {
            guard limits.sharedSubscriptionsAvailable else {
                throw unsupported("shared subscriptions", filter)
            }
            guard !request.noLocal else {
                throw .invalid("\(filter) is shared: noLocal is not allowed with it")
            }
        }
        guard limits.wildcardSubscriptionsAvailable || !filter.hasWildcard else {
            throw unsupported("filters with wildcards", filter)
        }
        guard let identifier = request.identifier else { return }
        guard limits.subscriptionIdentifiersAvailable else {
            throw unsupported("subscription identifiers", filter)
        }
        guard MQTTSubscriptionRequest.identifiers.contains(identifier) else {
            throw .invalid("subscription identifier \(identifier) is not in 1 to 268,435,455")
        }
    }

    private func checkSize(
        of requests: [MQTTSubscriptionRequest], _ userProperties: [MQTTProperties.UserProperty]
    ) throws(MQTTError) {
        let size = MQTTPacketSize.subscribe(
            requests, userProperties: userProperties, version: configuration.version)
        if let error = tooLarge(size, "the SUBSCRIBE") { throw error }
    }

    private func unsupported(_ what: String, _ filter: MQTTTopicFilter) -> MQTTError {
        MQTTError(
            .unsupported,
            "\(broker) does not support \(what), so \(filter) was not asked for: "
                + "subscribe without it")
    }
}
