/// Publishing and read backpressure.
extension MQTTConnectionDriver {
    /// Returns false if the message was refused; the receipt gets the reason.
    @discardableResult
    func publish(_ message: MQTTMessage, receipt: PublishReceipt) -> Bool {
        if let error = unavailability ?? objection(to: message) {
            refuse(error, receipt)
            return false
        }
        switch window.admit(message, token: receipt, at: core.now) {
        case .send: return send(message, receipt)
        case .queued: return true
        case .full:
            refuse(outboxFull, receipt)
            return false
        }
    }

    private var outboxFull: MQTTError {
        MQTTError(
            .outboxFull,
            "\(window.outstanding) messages are already waiting: publish more slowly",
            isRetriable: true)
    }

    /// Accepts the whole batch, and sends its messages as the window allows.
    func publish(_ batch: PublishBatch) {
        if let error = unavailability {
            countDrop(.notTaken, batch.messages.count)
            return core.later { batch.fail(from: 0, with: error) }
        }
        batch.number = window.admit(contentsOf: batch.messages, at: core.now) {
            .batch(batch, index: $0)
        }
        sendWaiting()
        if batch.messages.isEmpty { core.later { batch.finishIfComplete() } }
    }

    /// Sends no more of a batch and stops waiting for its messages.
    func cancel(_ batch: PublishBatch) {
        window.abandon(batch.number)
        batch.fail(from: 0, with: .waitCancelled)
        // Messages behind the batch may now be sent: QoS 0 needs no room in the window.
        sendWaiting()
        if drain != nil, window.outstanding == 0 { core.later { [self] in drainedEarly() } }
    }

    /// Sends messages that waited for room in the window.
    func sendWaiting() {
        guard machine.isConnected || machine.isDraining else { return }
        // The library may have closed the connection after the acknowledgement that is being delivered.
        guard handle?.socket != nil else { return }
        while let (message, receipt) = window.next() {
            // Messages of a batch were not checked before.
            if case .batch = receipt, let error = objection(to: message) {
                refuse(error, receipt)
            } else {
                send(message, receipt)
            }
        }
    }

    /// Returns false if the message was refused.
    @discardableResult
    private func send(_ message: MQTTMessage, _ receipt: PublishReceipt) -> Bool {
        guard let handle else {
            refuse(notConnected, receipt)
            return false
        }
        let alias = alias(for: message)
        let (result, packet) = handle.publish(message, alias: alias)
        guard result.isSuccess else {
            refuse(MQTTError(result, while: "publishing to \(message.topic)"), receipt)
            return false
        }
        if let alias, !alias.isKnown { aliases.introduced(message.topic) }
        let isHeld = message.qos > .atMostOnce && unreleased.contains(packet)
        let isTaken = isHeld || (message.qos > .atMostOnce && acknowledgements[packet] != nil)
        if message.qos == .exactlyOnce { unreleased.insert(packet) }
        let older = window.sent(message, packet: packet, token: receipt)
        if older != nil || isTaken {
            let error =
                isHeld && older == nil ? identifierIsHeld(packet) : identifierCameRound(packet)
            if let older { refuse(lost(because: error), older, counting: .unanswered) }
            fail(error)
            return true
        }
        measureSending(packet, message.qos)
        if message.qos > .atMostOnce { awaitAcknowledgement() }
        markDirty()
        return true
    }

    /// The topic alias to use. Introducing a new one makes the packet larger, which the broker's limit may
    /// not allow.
    private func alias(for message: MQTTMessage) -> TopicAliases.Alias? {
        guard let alias = aliases.alias(for: message.topic) else { return nil }
        let size = MQTTPacketSize.publish(message, version: configuration.version)
        return alias.isKnown || size + MQTTPacketSize.topicAlias <= packetLimit ? alias : nil
    }

    /// The library reused the identifier of a packet that is still unacknowledged after 65,535 others. The
    /// connection is ended before the broker confuses the two.
    func identifierCameRound(_ packet: UInt16) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "\(broker) did not acknowledge packet \(packet) before its identifier was used again; look for "
                + "the cause in the broker's log",
            isRetriable: true)
    }

    /// The library used an identifier under which the broker's session would discard the message as a
    /// duplicate.
    private func identifierIsHeld(_ packet: UInt16) -> MQTTError {
        MQTTError(
            .acknowledgementTimeout,
            "the session at \(broker) holds an exchange of an earlier connection under packet \(packet), whose "
                + "identifier is due again: the connection is made again and goes on behind it",
            isRetriable: true)
    }

    /// Whether an acknowledgement of the broker is outstanding.
    var isAcknowledgementDue: Bool { window.inFlight > 0 || !acknowledgements.isEmpty }

    func awaitAcknowledgement() {
        guard watch.sent(at: core.now), machine.isConnected, let end = watch.deadline else {
            return
        }
        setDeadline(min(deadline ?? end, end))
    }

    /// Completes later, never from inside the owner's call.
    private func refuse(
        _ error: MQTTError, _ receipt: PublishReceipt,
        counting reason: MQTTDropReason = .notTaken
    ) {
        countDrop(reason)
        core.later { receipt.resolve(.failure(error)) }
    }

    /// Why no message can be published now; nil if one can.
    private var unavailability: MQTTError? { machine.isConnected ? nil : notConnected }

    /// Why this message cannot be published on this connection; nil if it can.
    private func objection(to message: MQTTMessage) -> MQTTError? {
        if message.qos > limits.maximumQoS {
            return MQTTError(
                .unsupported,
                "\(broker) supports at most QoS \(limits.maximumQoS.rawValue), and the message needs QoS "
                    + "\(message.qos.rawValue): allow it in the broker's configuration")
        }
        if message.retain, !limits.retainAvailable {
            return MQTTError(
                .unsupported, "\(broker) does not support retained messages: publish without retain"
            )
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

    /// The largest packet that the broker accepts, bytes.
    var packetLimit: Int { limits.maximumPacketSize.map(Int.init) ?? MQTTPacketSize.maximum }

    /// Why a packet of that size cannot be sent; nil if it can.
    func tooLarge(_ size: Int, _ what: @autoclosure () -> String) -> MQTTError? {
        let limit = packetLimit
        guard size > limit else { return nil }
        return MQTTError(
            .packetTooLarge,
            "\(what()) takes a packet of \(size) bytes, and \(broker) accepts at most "
                + "\(limit): send less at once, or raise the largest packet of the broker "
                + "(mosquitto: max_packet_size)")
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
        // Before it is connected CONNACK must be read; while it drains, acknowledgements must be.
        guard let handle, !isReadingPaused, machine.isConnected else { return }
        isReadingPaused = true
        keepAlive.paused(at: core.now)
        updateInterest(handle)
    }

    func resumeReading() {
        guard let handle, isReadingPaused else { return }
        isReadingPaused = false
        keepAlive.resumed(at: core.now)
        watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        if machine.isConnected, let end = watch.deadline { setDeadline(min(deadline ?? end, end)) }
        updateInterest(handle)
        readLeftover(of: handle)
    }
}
