/// Handles the library's events, after the call that reported them has returned.
extension MQTTConnectionDriver {
    /// Returns how many events there were.
    @discardableResult
    func deliverEvents() -> Int { core.buffers.inbox.drain { deliver($0) } }

    private func deliver(_ event: MosquittoEvent) {
        switch event {
        case .connectAcknowledged(let code, let isSessionPresent, let limits):
            connectAcknowledged(code, isSessionPresent, limits)
        case .disconnected(let code):
            // Only the reason: the end itself is detected by the missing socket.
            if let error = MQTTError.disconnect(code, by: broker) { socket.ended(because: error) }
        case .published(let packet, let reason): published(packet, MQTTAcknowledgement(reason))
        case .acknowledged(let packet, let answer): published(packet, answer)
        case .subscribed(let packet, let answer), .unsubscribed(let packet, let answer):
            answered(packet, answer)
        case .message(let message): received(message)
        case .unusableTopic:
            countDrop(.unusableTopic)
            log.droppedUnusableTopic()
        }
    }

    private func connectAcknowledged(
        _ code: Int32, _ isSessionPresent: Bool, _ limits: MQTTBrokerLimits
    ) {
        guard code == 0 else {
            return socket.ended(because: .refusal(code, limits: limits, by: broker))
        }
        guard machine.isConnecting else { return fail(.secondConnack) }
        do throws(MQTTError) {
            try session.accepted(
                isSessionPresent: isSessionPresent, limits: limits, as: configuration, by: broker)
        } catch {
            return fail(error)
        }
        outbox.connected(limits)
        socket.confirmed()
        transition { $0.accepted(at: core.now) }
    }

    func announceConnected(address: String) {
        socket.handle?.endLogging()
        let info = MQTTConnectionInfo(
            session, outbox.limits, as: configuration, at: broker, address)
        liveness.connected(keepAlive: info.keepAlive, at: core.now)
        scheduleCheck()
        core.metrics?.connected()
        log.connected()
        handler(.connected(info))
    }

    private func answered(_ packet: UInt16, _ answer: MQTTAcknowledgement) {
        guard let completion = outbox.answered(packet) else { return }
        liveness.acknowledged(at: core.now, isAnythingDue: outbox.isAcknowledgementDue)
        completion(.success(answer))
    }

    private func published(_ packet: UInt16, _ answer: MQTTAcknowledgement) {
        guard let message = outbox.completed(packet, at: core.now) else { return }
        // A QoS 0 message is only written, which shows no progress of the broker.
        if message.isAcknowledged {
            session.finished(packet)
            liveness.acknowledged(at: core.now, isAnythingDue: outbox.isAcknowledgementDue)
        } else {
            liveness.wroteQueued(at: core.now)
        }
        if let latency = message.latency { core.metrics?.acknowledged(after: latency) }
        let isDraining = machine.delivered()
        sendWaiting()
        message.receipt.resolve(.success(answer))
        if isDraining { endDrainIfDone() }
    }

    private func received(_ message: MQTTMessage) {
        let limit = configuration.maximumPacketSize
        guard let skipped = MQTTSkippedMessage(message, over: limit, configuration.version) else {
            return handler(.message(message))
        }
        guard configuration.version == .v3_1_1 else {
            return fail(.oversizedPacket(skipped, from: broker))
        }
        countDrop(.tooLarge)
        log.dropped(skipped)
        handler(.skipped(skipped))
    }
}
