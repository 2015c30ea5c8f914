public import Logging
public import ServiceLifecycle

extension MQTTClient: Service {
    /// How long ``run()`` and ``withConnection(configuration:eventLoop:logger:_:)`` wait for
    /// acknowledgements at the end.
    public static let drainTime = Duration.seconds(5)

    /// Keeps the client connected until the task is cancelled or the service is shut down gracefully, then
    /// drains and disconnects. Throws if the connection fails for good.
    public func run() async throws {
        start()
        let number = calls.nextNumber()
        let result = await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { calls.ending.insert($0, as: number) }
        } onCancelOrGracefulShutdown: {
            self.onLoop { $0.beginDisconnect() }
        }
        try result.get()
    }

    /// Connects, or waits until a lost connection is back. Retries within the connect timeout; with fallback
    /// brokers, within one timeout per broker. Throws the last failure when the time is over, and a final
    /// failure at once.
    ///
    /// When the time is over or the task is cancelled, the client is closed, unless it was connected before,
    /// or ``run()`` or another call still needs the connection.
    @discardableResult
    public func connect() async throws(MQTTError) -> MQTTConnectionInfo {
        if let info = current?.info { return info }
        start()
        let number = calls.nextNumber()
        let timer = eventLoop.schedule(after: configuration.connectTime) { [weak self] in
            self?.assumeIsolated { $0.giveUpConnecting(number) }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { calls.connecting.insert($0, as: number) }
        } onCancel: {
            self.onLoop { $0.stopWaiting(number, .waitCancelled) }
        }
        timer.cancel()
        return try result.get()
    }

    /// Refuses new messages, waits for acknowledgements, disconnects and reports what was not delivered.
    /// Subscriptions end. Takes at most `limit` plus a second, also in a cancelled task, so that earlier
    /// publishes are still delivered.
    @discardableResult
    public func disconnect(drainingFor limit: Duration = drainTime) async -> MQTTDrainReport {
        guard let connection else { return MQTTDrainReport() }
        return await withCheckedContinuation { continuation in
            close(connection, drainingFor: limit) { continuation.resume(returning: $0) }
        }
    }

    /// Closes the socket without DISCONNECT: the broker publishes the will.
    public func abort() {
        guard let connection else { return }
        connection.abort()
        lastDrainReport = nil
        closed()
    }

    /// Connects, runs `body`, drains and disconnects. Throws what ``connect()`` or `body` throws.
    ///
    /// To learn what was not delivered, call ``disconnect(drainingFor:)`` at the end of `body`.
    public static func withConnection<Value>(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.mqtt"),
        _ body: (MQTTClient) async throws -> Value
    ) async throws -> Value {
        let client = MQTTClient(configuration: configuration, eventLoop: eventLoop, logger: logger)
        try await client.connect()
        do {
            let value = try await body(client)
            await client.disconnect()
            return value
        } catch {
            await client.disconnect()
            throw error
        }
    }

    // MARK: The connection

    /// Starts to connect, also again after a final failure.
    private func start() {
        if let connection {
            guard current?.restartIfFailed() == true else { return }
            states.publish(.connecting)
            return connection.start()
        }
        let number = calls.nextNumber()
        var configuration = configuration
        configuration.clientID = assignedClientID ?? configuration.clientID
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: eventLoop, owner: self
        ) { client, event in
            client.handle(event, of: number)
        }
        current = ClientConnection(connection, number: number)
        states.publish(.connecting)
        connection.start()
    }

    private func handle(_ event: MQTTConnectionEvent, of number: UInt64) {
        guard number == current?.number else { return }
        switch event {
        case .connected(let info): connected(info)
        case .message(let message): route(message)
        case .skipped: break
        case .disconnected(let error, let delay): disconnected(error, retryIn: delay)
        case .closed: closed()
        }
    }

    private func connected(_ info: MQTTConnectionInfo) {
        current?.connected(info)
        if configuration.clientID == .assignedByBroker { assignedClientID = info.clientID }
        states.publish(.connected(info))
        beginSession(info)
        calls.connecting.resumeAll(with: .success(info))
        if !pause.full.isEmpty { connection?.pauseReading() }
    }

    private func disconnected(_ error: MQTTError, retryIn delay: Duration?) {
        current?.lost(error, isFinal: delay == nil)
        states.publish(.disconnected(error, retryIn: delay))
        guard delay == nil else { return }
        calls.ended(error, ending: .failure(error))
        requests.finishAll(with: error.afterTheRequest)
        endAllSubscriptions(error)
    }

    private func closed() {
        let error = current?.lastError ?? .disconnectedByOwner
        ownDrops = drops
        current = nil
        calls.ended(error, ending: .success(()))
        requests.finishAll(with: error.afterTheRequest)
        endAllSubscriptions(nil)
        states.publish(.closed)
    }

    private func giveUpConnecting(_ number: UInt64) {
        let error =
            current?.lastError
            ?? .notAccepted(by: configuration.broker, within: configuration.connectTime)
        stopWaiting(number, error)
    }

    /// Ends a wait for the connection, and a first attempt that no other call waits for.
    private func stopWaiting(_ number: UInt64, _ error: MQTTError) {
        guard calls.connecting.resume(number, with: .failure(error)) else { return }
        if calls.isConnectionUnused, current?.isFirstAttempt == true { abort() }
    }

    private func beginDisconnect() {
        guard let connection else { return calls.ending.resumeAll(with: .success(())) }
        close(connection, drainingFor: Self.drainTime) { _ in }
    }

    private func close(
        _ connection: MQTTConnection, drainingFor limit: Duration,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        current?.close()
        endPauses(of: pause.end())
        states.publish(.closing)
        connection.close(drainingFor: limit) { [self] report in
            lastDrainReport = report
            logger.warnOfUndelivered(report, of: configuration.clientID)
            completion(report)
        }
    }
}

extension MQTTConfiguration {
    /// For how long to try to connect: one timeout per broker, so that none uses up the time of the next.
    fileprivate var connectTime: Duration { connectTimeout * (fallbackBrokers.count + 1) }
}
