private import Logging

/// Handles the library's events, after the call that reported them has returned.
extension MQTTConnectionDriver {
    /// Returns how many events there were.
    @discardableResult
    func deliverEvents() -> Int { core.ports.inbox.drain { deliver($0) } }

    private func deliver(_ event: MosquittoEvent) {
        switch event {
        case .connectAcknowledged(let code, let sessionPresent, let limits):
            connectAcknowledged(code: code, sessionPresent: sessionPresent, limits: limits)
        case .disconnected(let code): disconnected(code: code)
        case .published(let packet, let reason): published(packet, reason)
        case .subscribed(let packet, let answer), .unsubscribed(let packet, let answer):
            acknowledged(packet, answer)
        case .acknowledged(let packet, let answer):
            words = answer
            published(packet, answer.reasonCode)
            words = nil
        case .message(let message): received(message)
        case .unusableTopic: dropUnusableTopic()
        }
    }

    private func connectAcknowledged(
        code: Int32, sessionPresent: Bool, limits: MQTTBrokerLimits
    ) {
        guard code == 0 else {
            cause = refusal(UInt8(truncatingIfNeeded: code), limits: limits)
            return
        }
        guard case .connecting = machine.state else {
            return fail(
                MQTTError(
                    .protocolViolation,
                    "the broker sent a second CONNACK: report this bug to the broker's developers",
                    isRetriable: true))
        }
        guard !sessionPresent || !startsClean else {
            return fail(
                MQTTError(
                    .protocolViolation,
                    "\(broker) resumed a session although a new one was requested",
                    isRetriable: true))
        }
        if clientID == .assignedByBroker {
            guard let assigned = limits.assignedClientID, let name = try? MQTTClientID(assigned)
            else { return fail(clientIDMissing) }
            clientID = name
        }
        self.limits = limits
        if configuration.version == .v3_1_1 { self.limits.subscriptionIdentifiersAvailable = false }
        self.isSessionPresent = sessionPresent
        perform(machine.accepted(at: core.now))
    }

    private var clientIDMissing: MQTTError {
        MQTTError(
            .protocolViolation,
            "\(broker) accepted a client without an id and assigned none: configure a client id",
            isRetriable: true)
    }

    /// Whether the next CONNECT discards the broker's session. A session with an expiry that this connection
    /// itself created is resumed instead. MQTT 3.1.1 has no session expiry.
    var startsClean: Bool { configuration.cleanStart && !hasSession }

    func announceConnected(address: String) {
        releasePermission()
        let expiry = limits.sessionExpiry ?? configuration.sessionExpiry ?? .zero
        hasSession = configuration.version == .v5 && expiry > .zero
        if !isSessionPresent { unreleased = UnreleasedPackets() }
        handle?.endLogging()
        window.restrict(to: Int(min(configuration.sendMaximum, limits.receiveMaximum)))
        aliases = TopicAliases(
            maximum: min(configuration.sendTopicAliasMaximum, limits.topicAliasMaximum))
        // With a server keep-alive of zero a dead connection would go unnoticed: ours stays in force.
        let server = limits.serverKeepAlive.flatMap { $0 > .zero ? $0 : nil }
        let interval = server ?? configuration.keepAlive
        beginKeepAlive(interval: interval)
        let info = MQTTConnectionInfo(
            sessionPresent: isSessionPresent, clientID: clientID,
            version: configuration.version, keepAlive: interval, limits: limits, broker: broker,
            address: address)
        core.metrics?.connected()
        core.logger.debug(
            "connected", metadata: [LogKey.clientID: "\(clientID)"])
        handler?(.connected(info))
    }

    private func refusal(_ code: UInt8, limits: MQTTBrokerLimits) -> MQTTError {
        let reason =
            code >= 0x80
            ? MQTTReasonCode(rawValue: code) : MQTTReasonCode(version3ConnectCode: code)
        var message = "\(broker) refused the connection: \(reason)"
        if let text = limits.reasonString { message += " (\(text))" }
        message += "; \(limits.serverReference.map { "use \($0)" } ?? reason.advice)"
        var error = MQTTError(
            .connectionRefused, message, reasonCode: reason, libraryCode: Int32(code))
        error.reasonString = limits.reasonString
        error.serverReference = limits.serverReference
        error.isRetriable = MQTTDisconnectCause(error) != .final
        return error
    }

    /// Only records the reason; the end itself is detected by the missing socket. An earlier reason stays.
    private func disconnected(code: Int32) {
        let code = MosquittoCode(rawValue: code)
        guard cause == nil, code.reasonCode != nil else { return }
        var error = MQTTError(
            MosquittoResult(code: code), while: "connected to \(broker)")
        error.isRetriable = MQTTDisconnectCause(error) != .final
        cause = error
    }

    private func acknowledged(_ packet: UInt16, _ answer: MQTTAcknowledgement) {
        guard let completion = acknowledgements.removeValue(forKey: packet) else { return }
        watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        completion(.success(answer))
    }

    private func published(_ packet: UInt16, _ reason: MQTTReasonCode) {
        let inFlight = window.inFlight
        guard let receipt = window.complete(packet) else { return }
        // A QoS 0 message is only written, which shows no progress of the broker.
        if window.inFlight < inFlight {
            if !unreleased.isEmpty { unreleased.remove(packet) }
            watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        } else if isPingOwed {
            keepAlive.wroteBeforePing(at: core.now)
        }
        measureAcknowledgement(packet)
        drain?.delivered += 1
        sendWaiting()
        receipt.resolve(.success(reason))
        if drain != nil, window.outstanding == 0 { core.later { [self] in drainedEarly() } }
    }

    /// The library lets packets of any size through, and MQTT 3.1.1 cannot announce a limit: there a
    /// broker that sends a large message does nothing wrong, and would send it again after a reconnect.
    private func received(_ message: MQTTMessage) {
        let limit = Int(configuration.maximumPacketSize)
        let size = MQTTPacketSize.publish(message, version: configuration.version)
        guard limit == 0 || size <= limit else { return skip(message, size) }
        handler?(.message(message))
    }

    private func skip(_ message: MQTTMessage, _ size: Int) {
        let skipped = MQTTSkippedMessage(
            topic: message.topic, size: size, limit: Int(configuration.maximumPacketSize))
        guard configuration.version == .v3_1_1 else { return fail(oversizedPacket(skipped)) }
        countDrop(.tooLarge)
        core.logger.warning(
            "dropped a message larger than maximumPacketSize",
            metadata: [
                LogKey.clientID: "\(clientID)", LogKey.topic: "\(skipped.topic)",
                LogKey.size: "\(size)",
            ])
        handler?(.skipped(skipped))
    }

    private func dropUnusableTopic() {
        countDrop(.unusableTopic)
        core.logger.debug(
            "dropped a message whose topic contains wildcards",
            metadata: [LogKey.clientID: "\(clientID)"])
    }
}
