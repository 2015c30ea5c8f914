/// Finding the broker, waiting for permission and connecting.
extension MQTTConnectionDriver {
    /// The broker of the present attempt or connection.
    var broker: MQTTBrokerAddress { configuration.broker(at: machine.broker) }

    /// The configuration and server name of the TLS context; nil without TLS.
    private var tlsIdentity: TLSIdentity? { configuration.security.tls?.identity(for: broker.host) }

    func resolve(isRetry: Bool) {
        setDeadline(core.now &+ configuration.connectTimeout.wholeNanoseconds)
        do throws(MQTTError) {
            if !isRetry {
                guard !loop.isEnding else { throw .loopEnded }
                try configuration.validate()
            }
            try configuration.locateBroker()
        } catch {
            return fail(error)
        }
        if let tlsIdentity, !core.prepareTLS(tlsIdentity, for: reference, on: loop) { return }
        core.lookUp(broker.host, for: reference, on: loop)
    }

    /// The context of that identity was created, or cannot be.
    func tlsPrepared(_ identity: TLSIdentity, _ error: MQTTError?) {
        // The result may be for an earlier attempt at another broker.
        guard case .resolving = machine.state, identity == tlsIdentity else { return }
        if let error { return fail(error) }
        core.lookUp(broker.host, for: reference, on: loop)
    }

    /// A host was looked up, for this attempt or for an earlier one.
    func resolved(_ host: String, _ result: Result<[String], MQTTError>) {
        guard case .resolving = machine.state, host == broker.host else { return }
        do throws(MQTTError) {
            let addresses = try configuration.security.permitted(result.get(), of: broker)
            transition { $0.resolved(addresses) }
        } catch {
            fail(error)
        }
    }

    func awaitPermission(isRetry: Bool) {
        deadline.clear()
        if isRetry { core.awaitReconnectBudget(reference) } else { enterGate() }
    }

    /// The reconnect budget allows the attempt; it may still have to wait for other attempts to end.
    func enterGate(waiting: Bool = true) {
        if core.admission.gate.enter(reference, waiting: waiting) { permitted() }
    }

    /// It is the turn of this connection among the attempts of the loop.
    func permitted() {
        guard machine.isQueued else { return core.leaveGate() }
        let end = core.now &+ configuration.connectTimeout.wholeNanoseconds
        transition { $0.permitted(until: end) }
    }

    func open(_ address: String) {
        socket.close()?.close()
        if let end = machine.addressEnd(at: core.now) { setDeadline(end) }
        do throws(MQTTError) {
            try connect(to: address)
        } catch {
            return fail(error)
        }
        // A broker on the same machine has already accepted; send CONNECT now.
        if socket.handle?.isHandshaking == false { flush() }
    }

    private func connect(to address: String) throws(MQTTError) {
        let tls = tlsIdentity.flatMap { core.tlsContexts[$0] }
        guard tlsIdentity == nil || tls != nil else { throw .tlsNotPrepared(for: broker) }
        let handle = try session.handle(configuration, tls: tls, buffers: core.buffers)
        let descriptor = try handle.openSocket(
            to: address, port: broker.port, configuration: configuration)
        let interest: Poller.Interest = handle.isHandshaking ? [.read, .write] : .read
        socket.open(
            handle, descriptor: descriptor, token: core.connections.nextToken(reference),
            interest: interest)
        guard core.poller.add(descriptor, token: socket.token, interest: interest) else {
            throw .socketNotWatched
        }
        core.opened(descriptor)
        if let link, link.conditions.ofLaterConnections != .clear { shapeSocket() }
    }

    /// Lets the locator, if there is one, confirm the broker before CONNECT, with the credentials, is written.
    /// Returns false if nothing may be written, yet or ever.
    func confirmBroker(_ handle: MosquittoHandle) -> Bool {
        guard let locator = configuration.locator, socket.awaitsConfirmation else { return true }
        guard handle.isEstablished else {
            updateInterest()
            return false
        }
        do throws(MQTTError) {
            try locator.confirm(
                MQTTBrokerLocation(broker, credentials: configuration.credentials))
            socket.confirmed()
            return true
        } catch {
            fail(error)
            return false
        }
    }
}
