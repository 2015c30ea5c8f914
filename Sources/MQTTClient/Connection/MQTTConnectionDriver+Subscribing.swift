/// SUBSCRIBE and UNSUBSCRIBE.
extension MQTTConnectionDriver {
    /// A request and its position in the call.
    private typealias Placed = (position: Int, request: MQTTSubscriptionRequest)

    /// Uses several packets if filters differ in QoS, options or identifier, or if they do not fit into one;
    /// the completion comes once, with the codes in the order of the requests.
    func subscribe(
        _ requests: [MQTTSubscriptionRequest], userProperties: [MQTTProperties.UserProperty],
        completion: @escaping SubscribeCompletion
    ) {
        do throws(MQTTError) {
            let handle = try connectedHandle()
            try userProperties.validate()
            for request in requests { try check(request) }
            let packets = try packets(for: requests, userProperties)
            let collector = AcknowledgementCollector(
                packets: packets.count, codes: requests.count, completion: completion)
            for placed in packets {
                let (result, packet) = handle.subscribe(
                    to: placed.map(\.request.filter), as: placed[0].request,
                    userProperties: userProperties)
                guard result.isSuccess else {
                    let error = MQTTError(result, while: "subscribing")
                    core.later { collector.fail(error) }
                    continue
                }
                expect(packet) { collector.receive($0, at: placed.map(\.position)) }
            }
            if requests.isEmpty { core.later { completion(.success(.init(reasonCodes: []))) } }
            markDirty()
        } catch {
            core.later { completion(.failure(error)) }
        }
    }

    /// Uses several packets if the filters do not fit into one; the completion comes once.
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
            let packets = try cut(filters, "the UNSUBSCRIBE") {
                MQTTPacketSize.unsubscribe(
                    $0, userProperties: userProperties, version: configuration.version)
            }
            let collector = AcknowledgementCollector(
                packets: packets.count, codes: 0, completion: completion)
            for filters in packets {
                let (result, packet) = handle.unsubscribe(
                    from: filters, userProperties: userProperties)
                guard result.isSuccess else {
                    let error = MQTTError(result, while: "unsubscribing")
                    core.later { collector.fail(error) }
                    continue
                }
                expect(packet) { collector.receive($0) }
            }
            markDirty()
        } catch {
            core.later { completion(.failure(error)) }
        }
    }

    /// Fails every wait for a SUBACK or UNSUBACK; one that comes later is ignored.
    func giveUpSubscribeAnswers() {
        guard !acknowledgements.isEmpty else { return }
        let error = MQTTError(
            .acknowledgementTimeout,
            "\(broker) did not answer a SUBSCRIBE or UNSUBSCRIBE; raise its max_queued_messages",
            isRetriable: true)
        let completions = acknowledgements.sorted { $0.key < $1.key }.map(\.value)
        acknowledgements = [:]
        watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        core.later { for completion in completions { completion(.failure(error)) } }
    }

    /// The requests, grouped by packet.
    private func packets(
        for requests: [MQTTSubscriptionRequest], _ userProperties: [MQTTProperties.UserProperty]
    ) throws(MQTTError) -> [[Placed]] {
        var groups: [[Placed]] = []
        for (position, request) in requests.enumerated() {
            if let match = groups.firstIndex(where: { $0[0].request.sharesPacket(with: request) }) {
                groups[match].append((position, request))
            } else {
                groups.append([(position, request)])
            }
        }
        var packets: [[Placed]] = []
        for group in groups {
            packets += try cut(group, "the SUBSCRIBE") {
                MQTTPacketSize.subscribe(
                    $0.map(\.request), userProperties: userProperties,
                    version: configuration.version)
            }
        }
        return packets
    }

    /// Halves the elements until each part fits into a packet; throws if a single element does not.
    private func cut<Element>(
        _ elements: [Element], _ what: String, size: ([Element]) -> Int
    ) throws(MQTTError) -> [[Element]] {
        guard let error = tooLarge(size(elements), what) else { return [elements] }
        guard elements.count > 1 else { throw error }
        let middle = elements.count / 2
        return try cut(Array(elements[..<middle]), what, size: size)
            + cut(Array(elements[middle...]), what, size: size)
    }

    /// Stores the completion for the answer to a packet.
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

    /// Throws for a request that the broker's CONNACK rules out.
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

    private func unsupported(_ what: String, _ filter: MQTTTopicFilter) -> MQTTError {
        MQTTError(
            .unsupported,
            "\(broker) does not support \(what), which \(filter) needs: change the subscription")
    }
}

extension MQTTSubscriptionRequest {
    /// Whether one SUBSCRIBE can carry both.
    fileprivate func sharesPacket(with other: Self) -> Bool {
        qos == other.qos && optionBits == other.optionBits && identifier == other.identifier
    }
}
