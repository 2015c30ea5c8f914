/// Closing in order: drain, send DISCONNECT, half-close the socket, wait for the broker to close.
extension MQTTConnectionDriver {
    func close(
        drainingFor limit: Duration, properties: MQTTDisconnectProperties,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        if case .closed = machine.state { return core.later { completion(MQTTDrainReport()) } }
        let request = DrainProgress(
            end: core.now &+ limit.wholeNanoseconds, properties: properties, completion: completion)
        transition { $0.close(request) }
    }

    func drainOutstanding() {
        if !socket.isReading { resumeReading() }
        guard outbox.outstanding > 0 else { return transition { $0.drained() } }
        scheduleCheck()
    }

    /// A message is done: if it was the last one, the drain is over.
    func endDrainIfDone() {
        guard machine.drainEnd != nil, outbox.outstanding == 0 else { return }
        core.later { [self] in transition { $0.drained() } }
    }

    func disconnect(_ properties: MQTTDisconnectProperties) {
        guard let handle = socket.handle, let descriptor = handle.socket else {
            return transition { $0.lingerEnded() }
        }
        let duplicate = LingeringSocket(duplicating: descriptor)
        core.poller.remove(descriptor)
        socket.linger(on: duplicate, token: core.connections.nextToken(reference))
        let expiry = configuration.sessionExpiry ?? .zero
        let isSent = handle.sendDisconnect(
            properties.fitting(into: outbox.packetLimit), hasSession: expiry > .zero)
        if isSent { machine.sentDisconnect() }
        deliverEvents()
        // An event may have ended the connection, and with it the duplicate.
        guard socket.lingering == duplicate else { return }
        duplicate.halfClose()
        guard core.poller.add(duplicate.descriptor, token: socket.token, interest: .read) else {
            return transition { $0.lingerEnded() }
        }
        setDeadline(core.now &+ LingeringSocket.patience)
    }

    func lingerReady() {
        if socket.lingering?.isClosedByPeer() == true { transition { $0.lingerEnded() } }
    }
}
