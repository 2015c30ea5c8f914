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

    var connection: MQTTConnection?
    /// Distinguishes events of the present connection from those of an earlier one.
    var connectionNumber: UInt64 = 0
    /// Whether the broker has accepted since the connection was started.
    var wasConnected = false
    /// Whether the connection has failed for good and must be started again.
    var hasFailed = false
    var info: MQTTConnectionInfo?
    var lastError: MQTTError?
    /// The client id that the broker has assigned.
    var assignedClientID: MQTTClientID?
    var number: UInt64 = 0
    var connecting = PendingAnswers<MQTTConnectionInfo>()
    var publishing = PendingAnswers<MQTTReasonCode>()
    var acknowledging = PendingAnswers<MQTTAcknowledgement>()
    var ending = PendingAnswers<Void>()
    var requests = RequestTable()
    var responses = ResponseSubscriptions()
    /// Unfinished batches.
    var batches: [UInt64: PublishBatch] = [:]
    var subscriptions: [UInt64: ClientSubscription] = [:]
    var router = SubscriptionRouter<ClientSubscription>()
    /// The broker whose session has ``subscriptions``; nil before the first connection and after the end.
    var sessionBroker: MQTTBrokerAddress?
    /// Whether the broker's session was created by another client object. It may then contain unknown filters
    /// with identifiers, and a message with two identifiers would end the connection.
    var isSessionForeign = false
    /// Unsubscribed filters that the broker's session may still have.
    var leftovers: Set<MQTTTopicFilter> = []
    /// Subscriptions whose full buffer keeps the socket from being read.
    var full: Set<UInt64> = []
    var pauseTimer: MQTTTimer?
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
        for subscription in subscriptions.values {
            if case .channel(let channel) = subscription.sink { channel.end(nil) }
        }
    }

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
        let number = nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                publishing.insert(continuation, as: number)
                connection.publish(message) {
                    self.publishing.resume(number, with: $0)
                }
            }
        } onCancel: {
            self.onLoop { $0.publishing.resume(number, with: .failure(.waitCancelled)) }
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
        let number = nextNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let batch = PublishBatch(messages) {
                    self.batches[number] = nil
                    continuation.resume(returning: $0)
                }
                batches[number] = batch
                connection.publish(batch)
            }
        } onCancel: {
            self.onLoop { $0.cancelBatch(number) }
        }
    }

    private func cancelBatch(_ number: UInt64) {
        guard let batch = batches[number] else { return }
        if let connection { connection.cancel(batch) }
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
        return notConnected
    }

    var notConnected: MQTTError {
        MQTTError(
            .notConnected, "the client is not connected: call connect() or run() first",
            isRetriable: true)
    }

    func nextNumber() -> UInt64 {
        number += 1
        return number
    }

    /// Waits until the broker has answered the packet that `ask` sends, or the task is cancelled.
    func acknowledgement(
        _ ask: (@escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void) -> Void
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        let number = nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                acknowledging.insert(continuation, as: number)
                ask { [self] in acknowledging.resume(number, with: $0) }
            }
        } onCancel: {
            self.onLoop { $0.acknowledging.resume(number, with: .failure(.waitCancelled)) }
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
