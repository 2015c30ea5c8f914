/// The socket: reading, writing and its end.
extension MQTTConnectionDriver {
    func socketReady(_ readiness: Poller.Readiness) {
        guard let handle = socket.handle else { return lingerReady() }
        if !readiness.isBroken { socket.established() }
        if socket.reads(after: readiness, readsWhenWritable: handle.readsWhenWritable) {
            read(handle, isBroken: readiness.isBroken)
        }
        guard readiness.isWritable else { return }
        liveness.madeRoom(
            at: core.now, isReading: socket.isReading, isAnythingDue: outbox.isAcknowledgementDue)
        markDirty()
    }

    private func read(_ handle: MosquittoHandle, isBroken: Bool) {
        liveness.didRead(at: core.now)
        handle.beginReading()
        let isAlive = readTurn(handle, isBroken: isBroken)
        handle.endReading()
        guard isAlive else { return }
        markDirty(afterReading: true)
        readLeftover(of: handle)
    }

    /// Returns false if the connection has ended.
    private func readTurn(_ handle: MosquittoHandle, isBroken: Bool) -> Bool {
        var round = ReadRound(isConnected: machine.isConnected, isBroken: isBroken)
        while round.goesOn(hasReadAhead: handle.hasReadAhead) {
            let (result, isDrained) = handle.read(fromSocket: round.takesMore)
            round.read(deliverEvents())
            guard isAlive(handle, after: result) else { return false }
            if isBroken, handle.isHandshaking {
                fail(handle.handshakeFailure(result, while: phase))
                return false
            }
            let isOver = round.isOver(
                isReading: socket.isReading, isConnected: machine.isConnected)
            if isDrained || isOver { break }
        }
        return true
    }

    /// Schedules a read of data that was already taken from the socket, for which no socket event comes.
    private func readLeftover(of handle: MosquittoHandle) {
        guard handle.hasLeftover, socket.isReading else { return }
        core.later { [self] in
            guard socket.handle === handle else { return }
            socketReady(.init(token: 0, isReadable: true, isWritable: false, isBroken: false))
        }
    }

    func pauseReading() {
        // Before it is connected CONNACK must be read; while it drains, acknowledgements must be.
        guard machine.isConnected, socket.pause() else { return }
        liveness.paused(at: core.now)
        updateInterest()
    }

    func resumeReading() {
        guard socket.resume(), let handle = socket.handle else { return }
        liveness.resumed(at: core.now, isAnythingDue: outbox.isAcknowledgementDue)
        scheduleCheck()
        updateInterest()
        readLeftover(of: handle)
    }

    /// Schedules a flush at the end of this round.
    func markDirty(afterReading: Bool = false) {
        if socket.scheduleFlush(afterReading: afterReading) { core.backlog.dirty.append(self) }
    }

    /// Writes what this round queued, in one go, after data that could not be sent before.
    func flush() {
        let reason = socket.takeFlush()
        guard let handle = socket.handle else { return }
        if handle.wantsToWrite, !confirmBroker(handle) { return }
        let isAnswering = handle.wantsToWrite || handle.hasUnsent
        if handle.hasUnsent {
            guard isAlive(handle, afterWrite: handle.sendUnsent()) else { return }
        }
        if !handle.hasUnsent, handle.wantsToWrite {
            guard isAlive(handle, afterWrite: handle.write()) else { return }
            if !handle.wantsToWrite { socket.established() }
        }
        // Packets that need no answer were queued before the ping.
        if liveness.isPingOwed, !handle.wantsToWrite { ping() }
        // Written data carries the TCP acknowledgement of what was read.
        if reason == .scheduledAfterReading, !isAnswering, configuration.acknowledgesSegmentsAtOnce
        {
            handle.acknowledgeSegments()
        }
        updateInterest()
    }

    func ping() {
        let isWritten = socket.handle?.ping() == true
        // The socket may be full.
        updateInterest()
        liveness.pinged(at: core.now, isWritten: isWritten, isReading: socket.isReading)
    }

    func updateInterest() {
        guard let handle = socket.handle,
            let change = socket.interest(awaitingWritability: handle.awaitsWritability)
        else { return }
        core.poller.change(change.descriptor, token: socket.token, interest: change.interest)
    }

    private func isAlive(_ handle: MosquittoHandle, afterWrite result: MosquittoResult) -> Bool {
        liveness.didWrite(at: core.now)
        deliverEvents()
        return isAlive(handle, after: result)
    }

    /// Detects the end of the connection, in any of the ways in which the library reports it.
    private func isAlive(_ handle: MosquittoHandle, after result: MosquittoResult) -> Bool {
        guard socket.handle === handle else { return false }
        if result.isSuccess, handle.socket != nil { return true }
        let error = handle.failure(result, while: phase)
        let mayBeOld = !machine.isConnected && configuration.version == .v5
        fail(socket.cause ?? (mayBeOld ? error.suspectingOldBroker : error))
        return false
    }

    private var phase: String { "\(machine.isConnected ? "connected" : "connecting") to \(broker)" }
}
