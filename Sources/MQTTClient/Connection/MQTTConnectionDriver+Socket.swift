private import Glibc

/// The socket: connecting, reading, writing, keep-alive.
extension MQTTConnectionDriver {
    /// How many packets to read in one turn, so that a burst on one connection does not starve the others.
    /// ``SocketIntake`` bounds the bytes.
    private static var packetsPerRound: Int { 64 }

    func open(_ address: String) {
        closeHandle()
        beginConnectDeadline()
        unconfirmed = configuration.locator.map { _ in
            MQTTBrokerLocation(broker, credentials: configuration.credentials)
        }
        do throws(MQTTError) {
            try requireTLSContext()
            // A new handle for every attempt: nothing of an earlier session is sent again.
            let handle = try MosquittoHandle(
                configuration: configuration, clientID: clientID, cleanStart: startsClean,
                tls: tlsContext, ports: core.ports)
            self.handle = handle
            if let last = unreleased.lastBeforeLongestGap { handle.skipPackets(through: last) }
            let result = handle.connect(
                to: address, port: broker.port, configuration: configuration)
            guard result.isSuccess, let socket = handle.socket else {
                core.ports.inbox.events.removeAll()
                throw handle.failure(result, while: "connecting to \(address)")
            }
            try register(socket, of: handle)
        } catch {
            return fail(error)
        }
        // A broker on the same machine has already accepted; send CONNECT now.
        if handle?.isHandshaking == false { flush() }
    }

    private func register(_ socket: Int32, of handle: MosquittoHandle) throws(MQTTError) {
        // The library lets child processes inherit the socket, which would keep the connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        socketGeneration = core.nextGeneration()
        interest = handle.isHandshaking ? [.read, .write] : .read
        guard
            core.poller.add(
                socket, token: ConnectionTable.token(reference, generation: socketGeneration),
                interest: interest)
        else {
            throw MQTTError(
                .resourcesExhausted,
                "the system cannot watch another socket: raise the descriptor limit",
                isRetriable: true)
        }
        registeredSocket = socket
        core.opened(socket)
    }

    /// Destroys the handle and its socket. For the broker the connection breaks, unless DISCONNECT was
    /// written before.
    func closeHandle() {
        handle = nil
        registeredSocket = nil
        socketGeneration = 0
        cause = nil
        isReadingPaused = false
        isPingOwed = false
        isTransportOpen = false
    }

    // MARK: Events of the socket

    func socketReady(_ readiness: Poller.Readiness) {
        guard let handle else { return lingerReady() }
        if !readiness.isBroken { isTransportOpen = true }
        if readiness.isBroken || (readiness.isReadable && !isReadingPaused)
            || (readiness.isWritable && handle.readsWhenWritable
                && (!isReadingPaused || handle.isHandshaking))
        {
            read(handle, isBroken: readiness.isBroken)
        }
        if readiness.isWritable { didMakeRoom() }
    }

    /// The socket accepts more of the queued data, which shows that the peer reads: this counts as a sign of
    /// life however long the rest takes.
    private func didMakeRoom() {
        if isPingOwed { keepAlive.wroteBeforePing(at: core.now) }
        if !isReadingPaused {
            watch.progressed(at: core.now, isAnythingDue: isAcknowledgementDue)
        }
        markDirty()
    }

    private func read(_ handle: MosquittoHandle, isBroken: Bool) {
        keepAlive.didRead(at: core.now)
        hasRead = true
        handle.beginReading()
        let isAlive = readTurn(handle, isBroken: isBroken)
        handle.endReading()
        guard isAlive else { return }
        markDirty()
        readLeftover(of: handle)
    }

    /// Returns false if the connection has ended.
    private func readTurn(_ handle: MosquittoHandle, isBroken: Bool) -> Bool {
        let wasConnected = machine.isConnected
        var room = Self.packetsPerRound
        while room > 0 || handle.hasReadAhead {
            let (result, isDrained) = handle.read(fromSocket: room > 0)
            room -= max(1, deliverEvents())
            guard self.handle === handle, isAlive(handle, after: result) else { return false }
            if isBroken, handle.isHandshaking {
                fail(handshakeBroken(handle, result))
                return false
            }
            if isDrained || (isReadingPaused && !isBroken) { break }
            // Lets the owner react to CONNACK before the next packet, unless one TLS record brought both.
            if !wasConnected, machine.isConnected { break }
        }
        return true
    }

    /// Schedules a read of data that was already taken from the socket, for which no socket event comes.
    func readLeftover(of handle: MosquittoHandle) {
        guard handle.hasLeftover, !isReadingPaused else { return }
        core.later { [self] in
            guard self.handle === handle else { return }
            socketReady(.init(token: 0, isReadable: true, isWritable: false, isBroken: false))
        }
    }

    /// The broker exceeded Maximum Packet Size.
    func oversizedPacket(_ message: MQTTSkippedMessage) -> MQTTError {
        MQTTError(
            .protocolViolation,
            "\(broker) sent \(message.size) bytes on \(message.topic), although it was told a limit of "
                + "\(message.limit): publish less there, or raise maximumPacketSize",
            isRetriable: true)
    }

    /// Writes what this round queued, in one go, after data that could not be sent before.
    func flush() {
        isDirty = false
        guard let handle else { return }
        if let unconfirmed, handle.wantsToWrite, !confirm(unconfirmed, handle) { return }
        let isAnswering = handle.wantsToWrite || handle.hasUnsent
        if handle.hasUnsent {
            guard isAlive(handle, afterWrite: handle.sendUnsent()) else { return }
        }
        if !handle.hasUnsent, handle.wantsToWrite {
            guard isAlive(handle, afterWrite: handle.write()) else { return }
            if !handle.wantsToWrite { isTransportOpen = true }
        }
        // Packets that need no answer were queued before the ping.
        if isPingOwed, !handle.wantsToWrite { ping() }
        // Written data carries the TCP acknowledgement of what was read.
        if hasRead, !isAnswering, configuration.acknowledgesSegmentsAtOnce {
            handle.acknowledgeSegments()
        }
        hasRead = false
        updateInterest(handle)
    }

    /// Lets the locator confirm the broker before CONNECT, with the credentials, is written.
    /// - Returns: false if nothing may be written, yet or ever.
    private func confirm(_ location: MQTTBrokerLocation, _ handle: MosquittoHandle) -> Bool {
        guard let socket = handle.socket, Self.isEstablished(socket) else {
            updateInterest(handle)
            return false
        }
        do throws(MQTTError) {
            try configuration.locator?.confirm(location)
            unconfirmed = nil
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Whether the peer has accepted the TCP connection of a socket.
    private static func isEstablished(_ socket: Int32) -> Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &size) == 0
            }
        }
    }

    private func isAlive(
        _ handle: MosquittoHandle, afterWrite result: MosquittoResult
    ) -> Bool {
        keepAlive.didWrite(at: core.now)
        deliverEvents()
        return self.handle === handle && isAlive(handle, after: result)
    }

    func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        core.dirty.append(self)
    }

    func updateInterest(_ handle: MosquittoHandle) {
        var wanted: Poller.Interest = isReadingPaused ? [] : .read
        if handle.awaitsWritability { wanted.insert(.write) }
        guard wanted != interest, let socket = registeredSocket else { return }
        interest = wanted
        core.poller.change(
            socket, token: ConnectionTable.token(reference, generation: socketGeneration),
            interest: wanted)
    }

    /// Detects the end of the connection, in any of the ways in which the library reports it.
    private func isAlive(_ handle: MosquittoHandle, after result: MosquittoResult) -> Bool {
        if result.isSuccess, handle.socket != nil { return true }
        if isDisconnectWritten {
            closeHandle()
            return false
        }
        fail(cause ?? handle.failure(result, while: phase))
        return false
    }

    /// The library continues a handshake even if the socket is broken.
    private func handshakeBroken(_ handle: MosquittoHandle, _ result: MosquittoResult) -> MQTTError
    {
        guard result.isUnreachable else {
            return handle.failure(MosquittoResult(code: .tls), while: phase)
        }
        return MQTTError(
            MosquittoResult(code: .systemError, systemError: result.systemError), while: phase)
    }

    private var phase: String {
        (machine.isConnected ? "connected to " : "connecting to ")
            + broker.description
    }

    // MARK: Keep-alive

    func beginKeepAlive(interval: Duration) {
        keepAlive = KeepAliveMonitor(interval: interval.wholeNanoseconds, now: core.now)
        scheduleKeepAlive()
    }

    func checkKeepAlive() {
        switch keepAlive.verdict(at: core.now) {
        case .alive: break
        case .pingDue: ping()
        case .dead:
            return fail(
                MQTTError(
                    MosquittoResult(code: .keepAlive), while: "connected to \(broker)"
                ))
        }
        guard machine.isConnected || drain != nil else { return }
        // While reading is paused the acknowledgements cannot be seen.
        if !isReadingPaused, watch.isOver(at: core.now) { return fail(acknowledgementTimeout) }
        scheduleKeepAlive()
    }

    func scheduleKeepAlive() {
        let ping = keepAlive.nextCheck(after: core.now)
        let answer = isReadingPaused ? nil : watch.deadline
        guard let next = [ping, answer, drainEnd].compactMap(\.self).min() else { return }
        setDeadline(next)
    }

    private var acknowledgementTimeout: MQTTError {
        let limit = configuration.acknowledgementTimeout ?? .zero
        return MQTTError(
            .acknowledgementTimeout,
            "\(broker) acknowledged nothing for \(limit): it may have dropped messages; raise its "
                + "max_queued_messages",
            isRetriable: true)
    }

    private func ping() {
        isPingOwed = handle?.ping() == false
        // The socket may be full.
        if let handle { updateInterest(handle) }
        keepAlive.pinged(at: core.now, isAnswerAwaited: !isReadingPaused)
    }
}
