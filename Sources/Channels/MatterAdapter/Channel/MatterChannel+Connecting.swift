internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import Logging
internal import MQTTClient

extension MatterChannel {
    /// Waits until the server has listed its nodes, connecting if that was not begun.
    func waitUntilListening() async throws(CommunicationError) {
        switch link.phase {
        case .listening: return
        case .closed: throw .channelClosed
        case .waiting(let error, _) where !error.isRetriable: throw error
        case .idle, .connecting, .listing, .waiting: break
        }
        let slot = AnswerSlot<Result<Void, CommunicationError>>()
        limit(link.wait(slot))
        // After the wait began: a connection that cannot be made at all ends it at once.
        connectIfIdle()
        let cancelled = CommunicationError(
            .timedOut, "the wait for the Matter server was cancelled", certainty: .neverLeft,
            isRetriable: true)
        try await slot.value(ifCancelled: .failure(cancelled)).get()
    }

    /// Ends a wait when the time to connect is over. A server that is listing its nodes has a deadline of its own.
    private func limit(_ waiter: Int) {
        eventLoop.schedule(after: configuration.connectTimeout) { [weak self] in
            self?.assumeIsolated { channel in
                if channel.link.isListing { return channel.limit(waiter) }
                channel.link.giveUp(waiter, channel.link.lastError ?? channel.silence)
            }
        }
    }

    /// Begins to connect, if nothing is under way.
    func connectIfIdle() {
        if case .idle = link.phase { connect() }
    }

    private func connect() {
        let attempt = link.begin()
        do throws(CommunicationError) {
            let socket = try ServerSocket(
                to: configuration.server, authorityFile: configuration.authorityFile
            ) { [weak self, eventLoop = eventLoop] event in
                eventLoop.execute { [weak self] in
                    self?.assumeIsolated { $0.happened(event, in: attempt) }
                }
            }
            let deadline = self.deadline(configuration.connectTimeout) { $0.silence }
            link.phase = .connecting(socket, deadline: deadline)
            links.announce(.connecting)
        } catch {
            lose(error)
        }
    }

    private func happened(_ event: ServerSocket.Event, in attempt: Int) {
        guard attempt == link.attempt else { return }
        switch (event, link.phase) {
        case (.opened, _), (_, .idle), (_, .waiting), (_, .closed): break
        case (.closed(let reason), .connecting):
            lose(
                unreachable(
                    "\(reason); check that a Matter server runs there, and the channel's url"))
        case (.closed(let reason), _): lose(unreachable(reason))
        case (.refused(let reason), _):
            lose(
                CommunicationError(
                    .tlsRefused, "\(configuration.server): \(reason)", certainty: .neverLeft))
        case (.message(.info(let info)), .connecting(let socket, let deadline)):
            deadline.cancel()
            greeted(by: info, over: socket)
        case (
            .message(.answer(let id, let result)), .listing(let socket, let listing, let deadline)
        )
        where id == listing:
            guard let nodes = result.array else {
                return lose(unreachable("the answer to start_listening is no list of nodes"))
            }
            deadline.cancel()
            listed(nodes, over: socket)
        case (.message(.failure(let id, let failure)), .listing(_, let listing, _))
        where id == listing:
            lose(unreachable("start_listening failed: \(failure.details)"))
        case (.message(.event(let event)), .listing): link.hold(event)
        case (.message(.event(let event)), .listening): reported(event)
        case (.message(.answer(let id, let result)), .listening):
            if pending.answered(id, result) { return }
            run(outstanding.answered(id, result) ?? [])
        case (.message(.failure(let id, let failure)), .listening):
            if pending.failed(id, failure) { return }
            run(outstanding.failed(id, failure) ?? [])
        case (.message, _): break
        }
    }

    private func greeted(by info: ServerInfo, over socket: ServerSocket) {
        link.info = info
        if let refusal = info.refusal(by: id) {
            socket.close()
            return lose(refusal)
        }
        let messageID = outstanding.makeMessageID()
        guard socket.send(ServerRequest.numbered(ServerRequest.startListening.text, messageID))
        else { return lose(unreachable("the connection takes no request")) }
        let deadline = self.deadline(configuration.listDeadline) { $0.silence }
        link.phase = .listing(socket, messageID: messageID, deadline: deadline)
    }

    private func listed(_ nodes: [JSONValue], over socket: ServerSocket) {
        link.phase = .listening(socket)
        let updates = model.list(nodes)
        directory.update(model.devices)
        for update in updates { listeners.deliver(update) }
        for event in link.takeHeld() { reported(event) }
        // What a lost answer left open may be seen now.
        for (node, path) in outstanding.awaited {
            if let value = model.value(node, path) {
                run(outstanding.reported(node, path, value))
            }
        }
        link.succeeded()
        links.announce(.connected)
    }

    // MARK: Losing

    /// Gives the connection up, and begins again later.
    private func lose(_ error: CommunicationError) {
        logger.debug("no connection", metadata: [MatterLogKey.reason: "\(error)"])
        switch link.phase {
        case .connecting(let socket, let deadline), .listing(let socket, _, let deadline):
            deadline.cancel()
            socket.close()
        case .listening(let socket): socket.close()
        case .idle, .waiting, .closed: break
        }
        for update in model.linkLost() { listeners.deliver(update) }
        run(outstanding.linkLost())
        pending.linkLost()
        var generator = SystemGenerator()
        let delay = link.failed(error, using: &generator)
        let retry = eventLoop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { channel in
                guard case .waiting = channel.link.phase else { return }
                channel.connect()
            }
        }
        link.phase = .waiting(error, retry: retry)
        links.announce(.lost(error, retryIn: delay))
    }

    private func deadline(
        _ duration: Duration,
        _ error: @escaping @Sendable (isolated MatterChannel) -> CommunicationError
    ) -> MQTTTimer {
        let attempt = link.attempt
        return eventLoop.schedule(after: duration) { [weak self] in
            self?.assumeIsolated { channel in
                guard channel.link.attempt == attempt else { return }
                channel.lose(error(channel))
            }
        }
    }

    private var silence: CommunicationError {
        unreachable("no Matter server answers there in time; check host, port and firewall")
    }

    private func unreachable(_ reason: String) -> CommunicationError {
        CommunicationError(
            .unreachable, "\(configuration.server): \(reason)", certainty: .neverLeft,
            isRetriable: true)
    }
}
