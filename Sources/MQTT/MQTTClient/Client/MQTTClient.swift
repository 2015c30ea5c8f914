public import Logging

/// An MQTT client with an async interface, which publishes, subscribes, and reconnects after failures.
///
/// The actor runs on its event loop, so many clients can share one thread. Either let ``run()`` keep the connection
/// for the life of a service, or scope it with ``withConnection(configuration:eventLoop:logger:_:)``.
public actor MQTTClient {
    public nonisolated let configuration: MQTTConfiguration
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let logger: Logger
    nonisolated let states = ConnectionStateBroadcaster()

    /// Nil without a connection, or an attempt at one.
    var current: ClientConnection?
    /// The client id that the broker has assigned.
    var assignedClientID: MQTTClientID?
    var calls = PendingCalls()
    var requests = RequestTable()
    var subscriptions: [UInt64: ClientSubscription] = [:]
    /// The filters of ``subscriptions``.
    var filters = SubscriptionSet()
    var pause = ReadingPause()
    /// Messages dropped by this client and its earlier connections.
    var ownDrops = MQTTDropCounts()
    /// The drain report of the latest connection: what ``disconnect(drainingFor:)`` returned, also if
    /// ``run()`` or ``withConnection(configuration:eventLoop:logger:_:)`` called it. Nil before the first end
    /// and after ``abort()``.
    public internal(set) var lastDrainReport: MQTTDrainReport?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// Creates a client that is not connected yet. `logger` gets its warnings; the logger of the event loop
    /// gets connects and disconnects.
    public init(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.mqtt")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
    }

    deinit {
        for subscription in subscriptions.values { subscription.channel?.end(nil) }
    }

    var connection: MQTTConnection? { current?.connection }

    /// Whether messages can be published now.
    public var isConnected: Bool { connection?.isConnected ?? false }

    /// Messages that were dropped since the client was made, in either direction.
    public var drops: MQTTDropCounts { ownDrops + (connection?.drops ?? MQTTDropCounts()) }

    /// The connection state, beginning with the present one. Each call returns its own stream, which keeps
    /// only the latest state.
    public nonisolated var connectionEvents: AsyncStream<MQTTConnectionState> { states.stream() }

    // MARK: Publishing

    /// Publishes, and returns the broker's reason code, or at QoS 0 success when the message is written. The
    /// code may be an error (see ``MQTTReasonCode/isError``).
    ///
    /// Throws `notConnected` and `closed` without a connection, `outboxFull` if too many are queued,
    /// `unsupported` and `packetTooLarge` for messages that the broker does not accept, and `invalidArgument`; then
    /// nothing was sent. After `connectionLost` and `cancelled` it is not known whether the broker has the
    /// message.
    @discardableResult
    public func publish(_ message: MQTTMessage) async throws(MQTTError) -> MQTTReasonCode {
        guard let connection else { throw notTaken() }
        let message = message.carryingCurrentContext(configuration.version)
        let number = calls.nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                calls.publishing.insert(continuation, as: number)
                connection.publish(message) {
                    self.calls.publishing.resume(number, with: $0)
                }
            }
        } onCancel: {
            self.onLoop { $0.calls.publishing.resume(number, with: .failure(.waitCancelled)) }
        }
        return try result.get()
    }

    /// Publishes messages in order without waiting in between, and returns the broker's reason code for each
    /// when all are done. Much faster than awaiting each.
    ///
    /// A batch may be of any size: its queued messages do not count towards the limits of the outbox. Messages
    /// that the client publishes later do not overtake them. When the task is cancelled, no more of them are
    /// sent, and those without an answer fail with `cancelled`. Throws `notConnected` without a connection;
    /// nothing was sent then.
    public func publish(
        contentsOf messages: [MQTTMessage]
    ) async throws(MQTTError) -> MQTTPublishResults {
        guard let connection, connection.isConnected else { throw notTaken(messages.count) }
        let messages = messages.carryingCurrentContext(configuration.version)
        let number = calls.nextNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let batch = PublishBatch(messages) {
                    self.calls.batches[number] = nil
                    continuation.resume(returning: $0)
                }
                calls.batches[number] = batch
                connection.publish(batch)
            }
        } onCancel: {
            self.onLoop { client in
                if let batch = client.calls.batches[number] { client.connection?.cancel(batch) }
            }
        }
    }

    /// Publishes without waiting for an answer. Returns false if the message was refused: there is no
    /// connection, too many are queued, or the broker does not support it.
    @discardableResult
    public func publishWithoutWaiting(_ message: MQTTMessage) -> Bool {
        guard let connection, connection.isConnected else {
            countDrop(.notTaken)
            return false
        }
        return connection.publishWithoutWaiting(
            message.carryingCurrentContext(configuration.version))
    }

    /// Counts messages that are published without a connection, and reports them as dropped.
    func notTaken(_ count: Int = 1) -> MQTTError {
        countDrop(.notTaken, count)
        return .notConnected
    }

    /// Waits until the broker has answered the packet that `ask` sends, or the task is cancelled.
    func acknowledgement(
        _ ask: (@escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void) -> Void
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        let number = calls.nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                calls.acknowledging.insert(continuation, as: number)
                ask { [self] in calls.acknowledging.resume(number, with: $0) }
            }
        } onCancel: {
            self.onLoop { $0.calls.acknowledging.resume(number, with: .failure(.waitCancelled)) }
        }
        return try result.get()
    }

    /// Runs `body` on the loop soon. Callable from any thread.
    nonisolated func onLoop(_ body: @escaping @Sendable (isolated MQTTClient) -> Void) {
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { body($0) }
        }
    }
}
