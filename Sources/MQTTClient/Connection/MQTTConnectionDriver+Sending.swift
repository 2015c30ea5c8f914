/// Publishing, and how fast to read.
extension MQTTConnectionDriver {
    func publish(_ message: MQTTMessage, completion: PublishCompletion?) {
        if let error = objection(to: message) { return refuse(error, completion) }
        switch window.admit(message, token: completion, at: core.now) {
        case .send: send(message, completion)
        case .queued: break
        case .full:
            refuse(
                MQTTError(
                    .outboxFull,
                    "\(window.outstanding) messages are already waiting: publish more slowly",
                    isRetriable: true), completion)
        }
    }

    /// Sends what waited for room in the window.
    func sendWaiting() {
        guard machine.isConnected || drain != nil else { return }
        while let (message, completion) = window.next() { send(message, completion) }
    }

    private func send(_ message: MQTTMessage, _ completion: PublishCompletion?) {
        guard let handle else { return refuse(notConnected, completion) }
        let (result, packet) = handle.publish(message)
        guard result.isSuccess else {
            return refuse(
                MQTTError(result, while: "publishing to \(message.topic)"), completion)
        }
        if let older = window.sent(message, packet: packet, token: completion) {
            return identifierCameRound(packet, older)
        }
        measureSending(packet, message.qos)
        if message.qos > .atMostOnce { awaitAcknowledgement() }
        markDirty()
    }

    /// The library took an identifier whose message the broker has still not acknowledged: 65,535 others
    /// went by. Nothing is written yet, so the connection can end before the broker confuses the two.
    private func identifierCameRound(_ packet: UInt16, _ older: PublishCompletion?) {
        let error = MQTTError(
            .acknowledgementTimeout,
            "\(broker) left packet \(packet) unacknowledged until its identifier was due again; look for "
                + "the cause in the broker's log",
            isRetriable: true)
        refuse(error, older, counting: .unanswered)
        fail(error)
    }

    /// Whether the broker owes an answer.
    var isAcknowledgementDue: Bool { window.inFlight > 0 || !acknowledgements.isEmpty }

    func awaitAcknowledgement() {
        guard watch.sent(at: core.now), machine.isConnected, let end = watch.deadline else {
            return
        }
        setDeadline(min(deadline ?? end, end))
    }

    /// Never calls back from inside the owner's call.
    private func refuse(
        _ error: MQTTError, _ completion: PublishCompletion?,
        counting reason: MQTTDropReason = .notTaken
    ) {
        countDrop(reason)
        guard let completion else { return }
        core.later { completion(.failure(error)) }
    }

    /// Why the message cannot be published now, if so.
    private func objection(to message: MQTTMessage) -> MQTTError? {
        guard machine.isConnected else { return notConnected }
        if message.qos > limits.maximumQoS {
            return MQTTError(
                .unsupported,
                "\(broker) supports at most QoS \(limits.maximumQoS.rawValue): publish with that")
        }
        if message.retain, !limits.retainAvailable {
            return MQTTError(
                .unsupported, "\(broker) keeps no retained messages: publish without retain")
        }
        let size = MQTTPacketSize.publish(message, version: configuration.version)
        if let error = tooLarge(size, "the message to \(message.topic)") { return error }
        guard !message.properties.isEmpty else { return nil }
        do throws(MQTTError) {
            try message.properties.validate()
            return nil
        } catch {
            return error
        }
    }

    /// Why a packet of that size cannot be sent, if so.
    func tooLarge(_ size: Int, _ what: @autoclosure () -> String) -> MQTTError? {
        let limit = limits.maximumPacketSize.map(Int.init) ?? MQTTPacketSize.maximum
        guard size > limit else { return nil }
        return MQTTError(
            .packetTooLarge,
            "\(what()) takes a packet of \(size) bytes, and \(broker) accepts at most "
                + "\(limit): send less at once")
    }

    var notConnected: MQTTError {
        if drain != nil {
            return MQTTError(.closed, "the connection is being closed: make a new one")
        }
        if case .closed = machine.state {
            return MQTTError(.closed, "the connection was closed by its owner: make a new one")
        }
        return MQTTError(
            .notConnected,
            "there is no connection to \(broker): wait for it and try again",
            isRetriable: true)
    }

    // MARK: Backpressure

    func pauseReading() {
        guard let handle, !isReadingPaused else { return }
        isReadingPaused = true
        updateInterest(handle)
    }

    func resumeReading() {
        guard let handle, isReadingPaused else { return }
        isReadingPaused = false
        keepAlive.resumed(at: core.now)
        watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        updateInterest(handle)
        // What OpenSSL has decrypted already, the socket does not announce.
        guard handle.hasBufferedInput else { return }
        core.later { [self] in
            socketReady(.init(token: 0, isReadable: true, isWritable: false, isBroken: false))
        }
    }
}
