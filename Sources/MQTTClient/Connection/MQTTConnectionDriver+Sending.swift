/// Publishing and subscribing.
extension MQTTConnectionDriver {
    func publish(_ message: MQTTMessage, completion: PublishCompletion?) {
        if let error = objection(to: message) { return refuse(error, completion) }
        switch window.admit(message, token: completion) {
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
        window.sent(message, packet: packet, token: completion)
        markDirty()
    }

    /// Never calls back from inside the owner's call.
    private func refuse(_ error: MQTTError, _ completion: PublishCompletion?) {
        guard let completion else { return }
        core.later { completion(.failure(error)) }
    }

    /// Why the message cannot be published now, if so.
    private func objection(to message: MQTTMessage) -> MQTTError? {
        guard machine.isConnected else { return notConnected }
        if message.qos > limits.maximumQoS {
            return MQTTError(
                .unsupported, "the broker supports at most QoS \(limits.maximumQoS.rawValue)")
        }
        if message.retain, !limits.retainAvailable {
            return MQTTError(.unsupported, "the broker does not keep retained messages")
        }
        guard !message.properties.isEmpty else { return nil }
        do throws(MQTTError) {
            try message.properties.validate()
            return nil
        } catch {
            return error
        }
    }

    private var notConnected: MQTTError {
        if drain != nil { return MQTTError(.closed, "the connection is being closed") }
        if case .closed = machine.state {
            return MQTTError(.closed, "the connection was closed by its owner")
        }
        return MQTTError(
            .notConnected,
            "there is no connection to \(broker): wait for it and try again",
            isRetriable: true)
    }

    // MARK: Subscriptions

    /// Filters that differ in QoS or options go in packets of their own; the completion comes once, with
    /// the codes in the order of the requests.
    func subscribe(
        _ requests: [MQTTSubscriptionRequest], completion: @escaping SubscribeCompletion
    ) {
        guard let handle, machine.isConnected else {
            let error = notConnected
            return core.later { completion(.failure(error)) }
        }
        let collector = SubscribeCollector(count: requests.count, completion: completion)
        for (positions, group) in SubscribeCollector.groups(of: requests) {
            let (result, packet) = handle.subscribe(
                to: group.map(\.filter), qos: group[0].qos, options: group[0].optionBits)
            guard result.isSuccess else {
                let error = MQTTError(result, while: "subscribing")
                core.later { collector.fail(error) }
                continue
            }
            acknowledgements[packet] = { collector.receive($0, at: positions) }
        }
        if requests.isEmpty { core.later { completion(.success([])) } }
        markDirty()
    }

    func unsubscribe(_ filters: [MQTTTopicFilter], completion: @escaping SubscribeCompletion) {
        guard let handle, machine.isConnected else {
            let error = notConnected
            return core.later { completion(.failure(error)) }
        }
        let (result, packet) = handle.unsubscribe(from: filters)
        guard result.isSuccess else {
            let error = MQTTError(result, while: "unsubscribing")
            return core.later { completion(.failure(error)) }
        }
        acknowledgements[packet] = completion
        markDirty()
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
        updateInterest(handle)
        // What OpenSSL has decrypted already, the socket does not announce.
        guard handle.hasBufferedInput else { return }
        core.later { [self] in
            socketReady(.init(token: 0, isReadable: true, isWritable: false, isBroken: false))
        }
    }
}
