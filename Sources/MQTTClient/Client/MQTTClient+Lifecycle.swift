public import Logging
public import ServiceLifecycle

extension MQTTClient: Service {
    /// How long ``run()`` and ``withConnection(configuration:eventLoop:logger:_:)`` wait for
    /// acknowledgements at the end.
    public static let drainTime = Duration.seconds(5)

    /// Keeps the connection until the task is cancelled or the service shut down gracefully, then drains
    /// and disconnects. Throws when the connection has failed for good.
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

    /// Connects, retrying within the connect timeout. Throws the last failure when the time is over, or
    /// at once a failure that is final; the client is closed then.
    @discardableResult
    public func connect() async throws(MQTTError) -> MQTTConnectionInfo {
        if let info { return info }
        start()
        let number = nextNumber()
        let timer = eventLoop.schedule(after: configuration.connectTimeout) { [weak self] in
            self?.assumeIsolated { $0.giveUpConnecting(number) }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { connecting.insert($0, as: number) }
        } onCancel: {
            self.onLoop { $0.abandon(number, .waitCancelled) }
        }
        timer.cancel()
        return try result.get()
    }

    /// Takes no more messages, waits for acknowledgements, disconnects and reports. Subscriptions end.
    @discardableResult
    public func disconnect(drainingFor limit: Duration = drainTime) async -> MQTTDrainReport {
        guard let connection else { return MQTTDrainReport() }
        return await withCheckedContinuation { continuation in
            connection.close(drainingFor: limit) { continuation.resume(returning: $0) }
        }
    }

    /// Closes the socket without DISCONNECT: the broker publishes the will.
    public func abort() {
        connection?.abort()
    }

    /// Connects, runs `body`, drains and disconnects. Throws what ``connect()`` or `body` throws.
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
        guard connection == nil else { return connection?.start() ?? () }
        let connection = MQTTConnection(configuration: configuration, eventLoop: eventLoop) {
            [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        self.connection = connection
        states.publish(.connecting)
        connection.start()
    }

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected(let info): connected(info)
        case .message(let message): route(message)
        case .disconnected(let error, let delay): disconnected(error, retryIn: delay)
        case .closed: closed()
        }
    }

    private func connected(_ info: MQTTConnectionInfo) {
        self.info = info
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
        connecting.resumeAll(with: .failure(error))
        ending.resumeAll(with: .failure(error))
        endAllSubscriptions(error)
    }

    private func closed() {
        info = nil
        connection = nil
        let error = lastError ?? MQTTError(.closed, "the client was disconnected")
        connecting.resumeAll(with: .failure(error))
        ending.resumeAll(with: .success(()))
        endAllSubscriptions(nil)
        states.publish(.closed)
    }

    private func giveUpConnecting(_ number: UInt64) {
        let error =
            lastError
            ?? MQTTError(
                .connectTimeout,
                "\(configuration.broker) did not accept within \(configuration.connectTimeout)",
                isRetriable: true)
        abandon(number, error)
    }

    /// Ends an attempt that its caller no longer waits for.
    private func abandon(_ number: UInt64, _ error: MQTTError) {
        guard info == nil else { return }
        connecting.resume(number, with: .failure(error))
        connection?.abort()
    }

    private func beginDisconnect() {
        guard let connection else { return ending.resumeAll(with: .success(())) }
        connection.close(drainingFor: Self.drainTime) { _ in }
    }
}
