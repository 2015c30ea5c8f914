/// PUBLISH, SUBSCRIBE and UNSUBSCRIBE.
extension MQTTConnectionDriver {
    /// Returns false if the message was refused; the receipt gets the reason.
    @discardableResult
    func publish(_ message: MQTTMessage, receipt: PublishReceipt) -> Bool {
        do throws(MQTTError) {
            let handle = try connectedHandle()
            switch try outbox.admit(message, receipt: receipt, at: core.now, to: broker) {
            case .send(let outgoing):
                markDirty()
                return send(outgoing, on: handle)
            case .queued: return true
            }
        } catch {
            refuse(error, receipt)
            return false
        }
    }

    /// Accepts the whole batch, and sends its messages as the window allows.
    func publish(_ batch: PublishBatch) {
        guard machine.isConnected else {
            countDrop(.notTaken, batch.messages.count)
            let error = MQTTError.unavailable(machine.state, broker)
            return core.later { batch.fail(from: 0, with: error) }
        }
        outbox.admit(batch, at: core.now)
        sendWaiting()
        if batch.messages.isEmpty { core.later { batch.finishIfComplete() } }
    }

    /// Sends no more of a batch and stops waiting for its messages.
    func cancel(_ batch: PublishBatch) {
        outbox.abandon(batch)
        batch.fail(from: 0, with: .waitCancelled)
        // Messages behind the batch may now be sent: QoS 0 needs no room in the window.
        sendWaiting()
        endDrainIfDone()
    }

    /// Sends messages that waited for room in the window.
    func sendWaiting() {
        guard machine.isConnected || machine.drainEnd != nil else { return }
        // The library may have closed the connection after the acknowledgement that is being delivered.
        guard let handle = socket.handle, handle.socket != nil else { return }
        var sent = 0
        while let next = outbox.next(to: broker) {
            switch next {
            case .send(let outgoing): sent += send(outgoing, on: handle) ? 1 : 0
            case .refuse(let receipt, let error): refuse(error, receipt)
            }
        }
        if sent > 0 { markDirty() }
    }

    /// Returns false if the message was refused.
    private func send(_ outgoing: Outbox.Outgoing, on handle: MosquittoHandle) -> Bool {
        let message = outgoing.message
        let (result, packet) = handle.publish(message, alias: outgoing.alias)
        guard result.isSuccess else {
            refuse(MQTTError(result, while: "publishing to \(message.topic)"), outgoing.receipt)
            return false
        }
        if let alias = outgoing.alias, !alias.isKnown { outbox.introducedAlias(for: message.topic) }
        let conflict = outbox.sent(
            outgoing, packet: packet, isHeld: session.sent(packet, message.qos),
            at: core.metrics == nil ? nil : core.now)
        if let conflict {
            let error = conflict.error(packet, at: broker)
            if let older = conflict.older {
                refuse(.lost(because: error), older, counting: .unanswered)
            }
            fail(error)
            return true
        }
        if message.qos > .atMostOnce { awaitAcknowledgement() }
        return true
    }

    private func awaitAcknowledgement() {
        if liveness.sentRequest(at: core.now), machine.isConnected { scheduleCheck() }
    }

    /// Completes later, never from inside the owner's call.
    private func refuse(
        _ error: MQTTError, _ receipt: PublishReceipt,
        counting reason: MQTTDropReason = .notTaken
    ) {
        countDrop(reason)
        core.later { receipt.resolve(.failure(error)) }
    }

    /// Throws the reason why nothing can be sent now.
    private func connectedHandle() throws(MQTTError) -> MosquittoHandle {
        guard machine.isConnected, let handle = socket.handle else {
            throw .unavailable(machine.state, broker)
        }
        return handle
    }

    /// Uses several packets if filters differ in QoS, options or identifier, or if they do not fit into one;
    /// the completion comes once, with the codes in the order of the requests.
    func send(
        _ call: RequestCall, userProperties: [MQTTProperties.UserProperty],
        completion: @escaping Outbox.RequestCompletion
    ) {
        do throws(MQTTError) {
            let handle = try connectedHandle()
            let packets = try outbox.packets(for: call, userProperties: userProperties, to: broker)
            if packets.isEmpty { core.later { completion(.success(.init(reasonCodes: []))) } }
            let collector = AcknowledgementCollector(
                packets: packets.count, codes: call.codeCount, completion: completion)
            let failure = collector.send(packets, on: handle, userProperties, expecting: expect)
            if let failure { core.later { collector.fail(failure) } }
            markDirty()
        } catch {
            core.later { completion(.failure(error)) }
        }
    }

    /// Keeps the completion for the answer to a packet.
    private func expect(_ packet: UInt16, _ completion: @escaping Outbox.RequestCompletion) {
        awaitAcknowledgement()
        guard let conflict = outbox.sent(completion, packet: packet) else { return }
        let error = conflict.error(packet, at: broker)
        core.later { [self, handle = socket.handle] in
            conflict.older?(.failure(.lost(because: error)))
            if socket.handle === handle { fail(error) }
        }
    }

    /// Fails every wait for a SUBACK or UNSUBACK; one that comes later is ignored.
    func giveUpSubscribeAnswers() {
        let completions = outbox.removeRequests()
        guard !completions.isEmpty else { return }
        liveness.acknowledged(at: core.now, isAnythingDue: outbox.isAcknowledgementDue)
        let error = MQTTError.requestNotAnswered(by: broker)
        core.later { for completion in completions { completion(.failure(error)) } }
    }
}
