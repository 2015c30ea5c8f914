/// What the broker accepts, by its CONNACK.
extension Outbox {
    /// A request and its position in the call.
    private typealias Placed = (position: Int, request: MQTTSubscriptionRequest)

    /// The largest packet that the broker accepts, bytes.
    var packetLimit: Int { limits.maximumPacketSize.map(Int.init) ?? MQTTPacketSize.maximum }

    /// Throws if the message cannot be published on this connection.
    func check(
        _ message: MQTTMessage, size: Int, for broker: @autoclosure () -> MQTTBrokerAddress
    ) throws(MQTTError) {
        if message.qos > limits.maximumQoS {
            throw MQTTError(
                .unsupported,
                "\(broker()) supports at most QoS \(limits.maximumQoS.rawValue), and the message needs QoS "
                    + "\(message.qos.rawValue): allow it in the broker's configuration")
        }
        if message.retain, !limits.retainAvailable {
            throw MQTTError(
                .unsupported,
                "\(broker()) does not support retained messages: publish without retain")
        }
        if size > packetLimit {
            throw .packetTooLarge(
                "the message to \(message.topic)", size: size, limit: packetLimit, for: broker())
        }
        if !message.properties.isEmpty { try message.properties.validate() }
    }

    /// The packets of a call: each has filters with equal QoS, options and identifier, as many as fit. Throws if
    /// the broker does not accept one of them.
    func packets(
        for call: RequestCall, userProperties: [MQTTProperties.UserProperty],
        to broker: MQTTBrokerAddress
    ) throws(MQTTError) -> [RequestPacket] {
        try userProperties.validate()
        switch call {
        case .subscribe(let requests):
            for request in requests { try check(request, for: broker) }
            var packets: [RequestPacket] = []
            for group in groups(of: requests) {
                packets += try cut(group, "the SUBSCRIBE", for: broker) {
                    MQTTPacketSize.subscribe(
                        $0.map(\.request), userProperties: userProperties, version: version)
                }.map {
                    RequestPacket(
                        filters: $0.map(\.request.filter), options: $0[0].request,
                        positions: $0.map(\.position))
                }
            }
            return packets
        case .unsubscribe(let filters):
            guard !filters.isEmpty else { return [] }
            return try cut(filters, "the UNSUBSCRIBE", for: broker) {
                MQTTPacketSize.unsubscribe($0, userProperties: userProperties, version: version)
            }.map { RequestPacket(filters: $0, options: nil, positions: []) }
        }
    }

    private func groups(of requests: [MQTTSubscriptionRequest]) -> [[Placed]] {
        var groups: [[Placed]] = []
        for (position, request) in requests.enumerated() {
            if let match = groups.firstIndex(where: { $0[0].request.sharesPacket(with: request) }) {
                groups[match].append((position, request))
            } else {
                groups.append([(position, request)])
            }
        }
        return groups
    }

    /// Halves the elements until each part fits into a packet; throws if a single element does not.
    private func cut<Element>(
        _ elements: [Element], _ what: String, for broker: MQTTBrokerAddress,
        size: ([Element]) -> Int
    ) throws(MQTTError) -> [[Element]] {
        let whole = size(elements)
        guard whole > packetLimit else { return [elements] }
        guard elements.count > 1 else {
            throw .packetTooLarge(what, size: whole, limit: packetLimit, for: broker)
        }
        let middle = elements.count / 2
        return try cut(Array(elements[..<middle]), what, for: broker, size: size)
            + cut(Array(elements[middle...]), what, for: broker, size: size)
    }

    private func check(
        _ request: MQTTSubscriptionRequest, for broker: MQTTBrokerAddress
    ) throws(MQTTError) {
        let filter = request.filter
        if filter.isShared {
            guard limits.sharedSubscriptionsAvailable else {
                throw unsupported(
                    "shared subscriptions", .sharedSubscriptionsNotSupported, filter, broker)
            }
            guard !request.noLocal else {
                throw .invalid("\(filter) is shared: noLocal is not allowed with it")
            }
        }
        guard limits.wildcardSubscriptionsAvailable || !filter.hasWildcard else {
            throw unsupported(
                "filters with wildcards", .wildcardSubscriptionsNotSupported, filter, broker)
        }
        guard let identifier = request.identifier else { return }
        guard limits.subscriptionIdentifiersAvailable else {
            throw unsupported(
                "subscription identifiers", .subscriptionIdentifiersNotSupported, filter, broker)
        }
        guard MQTTSubscriptionRequest.identifiers.contains(identifier) else {
            throw .invalid("subscription identifier \(identifier) is not in 1 to 268,435,455")
        }
    }

    private func unsupported(
        _ what: String, _ reason: MQTTReasonCode, _ filter: MQTTTopicFilter,
        _ broker: MQTTBrokerAddress
    ) -> MQTTError {
        MQTTError(
            .unsupported,
            "\(broker) does not support \(what), which \(filter) needs: use a broker that does",
            reasonCode: reason)
    }
}

extension MQTTSubscriptionRequest {
    /// Whether one SUBSCRIBE can carry both.
    fileprivate func sharesPacket(with other: Self) -> Bool {
        qos == other.qos && optionBits == other.optionBits && identifier == other.identifier
    }
}
