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
        let number = nextNumber()
        let result = await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { ending.insert($0, as: number) }
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
        if let info { return info }
        start()
        let number = nextNumber()
        let timer = eventLoop.schedule(after: connectTime) { [weak self] in
            self?.assumeIsolated { $0.giveUpConnecting(number) }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { connecting.insert($0, as: number) }
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

    private func start() {
        if let connection { return restart(connection) }
        let number = nextNumber()
        var configuration = configuration
        configuration.clientID = assignedClientID ?? configuration.clientID
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: eventLoop, owner: self
        ) { client, event in
            client.handle(event, of: number)
        }
        self.connection = connection
        connectionNumber = number
        lastError = nil
        states.publish(.connecting)
        connection.start()
    }

    /// After a final failure it starts again.
    private func restart(_ connection: MQTTConnection) {
        guard hasFailed else { return }
        hasFailed = false
        states.publish(.connecting)
        connection.start()
    }

    private func handle(_ event: MQTTConnectionEvent, of number: UInt64) {
        guard number == connectionNumber else { return }
        switch event {
        case .connected(let info): connected(info)
        case .message(let message): route(message)
        case .skipped: break
        case .disconnected(let error, let delay): disconnected(error, retryIn: delay)
        case .closed: closed()
        }
    }

    private func connected(_ info: MQTTConnectionInfo) {
        self.info = info
        lastError = nil
        wasConnected = true
        if configuration.clientID == .assignedByBroker { assignedClientID = info.clientID }
        states.publish(.connected(info))
        beginSession(info)
        connecting.resumeAll(with: .success(info))
        if !full.isEmpty { connection?.pauseReading() }
    }

    private func disconnected(_ error: MQTTError, retryIn delay: Duration?) {
        info = nil
        lastError = error
        states.publish(.disconnected(error, retryIn: delay))
        guard delay == nil else { return }
        hasFailed = true
        wasConnected = false
        connecting.resumeAll(with: .failure(error))
        ending.resumeAll(with: .failure(error))
        requests.finishAll(with: unanswered(error))
        endAllSubscriptions(error)
        // The caller has got this error; later failures have their own causes.
        lastError = nil
    }

    /// The error for requests that the broker has accepted, when the client ends.
    private func unanswered(_ error: MQTTError) -> MQTTError {
        MQTTError(
            .connectionLost, "the connection ended before the answer came: \(error.message)",
            isRetriable: false)
    }

    private func closed() {
        info = nil
        wasConnected = false
        hasFailed = false
        ownDrops = drops
        connection = nil
        connectionNumber = 0
        let error =
            lastError
            ?? MQTTError(
                .closed, "the client was disconnected by its owner: call connect() or run()")
        connecting.resumeAll(with: .failure(error))
        ending.resumeAll(with: .success(()))
        requests.finishAll(with: unanswered(error))
        endAllSubscriptions(nil)
        states.publish(.closed)
    }

    /// One timeout per broker, so that none uses up the time of the next.
    private var connectTime: Duration {
        configuration.connectTimeout * (configuration.fallbackBrokers.count + 1)
    }

    private func giveUpConnecting(_ number: UInt64) {
        let error =
            lastError
            ?? MQTTError(
                .connectTimeout,
                "\(configuration.broker) did not accept within \(connectTime): check "
                    + "that a broker listens there",
                isRetriable: true)
        stopWaiting(number, error)
    }

    /// Ends a wait for the connection, and a first attempt that no other call waits for.
    private func stopWaiting(_ number: UInt64, _ error: MQTTError) {
        guard connecting.resume(number, with: .failure(error)) else { return }
        if connecting.isEmpty, ending.isEmpty, !wasConnected { abort() }
    }

    private func beginDisconnect() {
        guard let connection else { return ending.resumeAll(with: .success(())) }
        close(connection, drainingFor: Self.drainTime) { _ in }
    }

    private func close(
        _ connection: MQTTConnection, drainingFor limit: Duration,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        info = nil
        endPauses()
        states.publish(.closing)
        connection.close(drainingFor: limit) { [self] report in
            lastDrainReport = report
            if report.undelivered > 0 { logUndelivered(report) }
            completion(report)
        }
    }

    private func logUndelivered(_ report: MQTTDrainReport) {
        logger.warning(
            "messages were not delivered before the end",
            metadata: [
                LogKey.clientID: "\(configuration.clientID)",
                LogKey.undelivered: "\(report.undelivered)",
                LogKey.unsent: "\(report.unsent.count)",
            ])
    }
}
