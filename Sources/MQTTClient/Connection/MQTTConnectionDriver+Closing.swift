private import Glibc

/// Closing in order: drain, send DISCONNECT, half-close the socket, wait for the broker to close.
extension MQTTConnectionDriver {
    /// How long the broker may take to close its side after DISCONNECT.
    private static var lingerNanoseconds: UInt64 { 1_000_000_000 }

    /// Whether the library closed the socket because DISCONNECT was sent.
    var isDisconnectWritten: Bool { drain?.isDisconnectSent ?? false }

    func close(
        drainingFor limit: Duration, properties: MQTTDisconnectProperties?,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        guard handler != nil else {
            return core.later { completion(MQTTDrainReport()) }
        }
        if let properties { disconnectProperties = properties }
        guard drain == nil else { return drain?.completions.append(completion) ?? () }
        drain = DrainProgress(completions: [completion])
        drainLimit = limit
        perform(machine.close())
    }

    func drainOutstanding() {
        if isReadingPaused { resumeReading() }
        guard window.outstanding > 0 else { return drainedEarly() }
        drainEnd = core.now &+ drainLimit.wholeNanoseconds
        scheduleKeepAlive()
    }

    /// Reading and keep-alive continue until the drain is over.
    func checkDrain() {
        if let drainEnd, core.now < drainEnd {
            checkKeepAlive()
        } else {
            perform(machine.drained())
        }
    }

    /// Every outstanding message is acknowledged.
    func drainedEarly() {
        perform(machine.drained())
    }

    /// Closing a socket with unread bytes resets the connection, and the broker would lose what it has not
    /// read yet. So a duplicate descriptor is kept and read until the broker has closed its side.
    func disconnect() {
        guard let handle, let socket = handle.socket else { return endLinger() }
        lingeringSocket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        core.poller.remove(socket)
        registeredSocket = nil
        drain?.isDisconnectSent = true
        let expiry = configuration.sessionExpiry ?? .zero
        if handle.hasUnsent { _ = handle.sendUnsent() }
        _ = handle.disconnect(
            disconnectProperties.fitting(into: packetLimit), hasSession: expiry > .zero)
        if !handle.hasUnsent { _ = handle.writeQueued() }
        drain?.isDisconnectSent = handle.socket == nil
        deliverEvents()
        closeHandle()
        linger()
    }

    private func linger() {
        guard let lingeringSocket else { return endLinger() }
        shutdown(lingeringSocket, Int32(SHUT_WR))
        socketGeneration = core.nextGeneration()
        let token = ConnectionTable.token(reference, generation: socketGeneration)
        guard core.poller.add(lingeringSocket, token: token, interest: .read) else {
            return endLinger()
        }
        setDeadline(core.now &+ Self.lingerNanoseconds)
    }

    func lingerReady() {
        guard let lingeringSocket else { return }
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(
                lingeringSocket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { endLinger() }
        }
    }

    private func endLinger() {
        closeLingeringSocket()
        perform(machine.lingerEnded())
    }

    func closeLingeringSocket() {
        guard let socket = lingeringSocket else { return }
        lingeringSocket = nil
        Glibc.close(socket)
    }
}
