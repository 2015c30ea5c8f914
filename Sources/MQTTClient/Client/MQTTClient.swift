public import Logging

/// An MQTT client with an async interface: publish, subscribe, and a connection that is kept up.
///
/// It lives on its event loop, so many clients share one thread. Either let ``run()`` keep the connection
/// for the life of a service, or scope it with ``withConnection(configuration:eventLoop:logger:_:)``.
public actor MQTTClient {
    public nonisolated let configuration: MQTTConfiguration
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let logger: Logger
    nonisolated let states = ConnectionStateBroadcaster()

    var connection: MQTTConnection?
    /// Tells the events of this connection from those of an earlier one.
    var connectionNumber: UInt64 = 0
    /// Whether the broker has accepted since the connection was begun.
    var wasConnected = false
    /// Whether the connection has failed for good, and waits to be begun anew.
    var hasFailed = false
    var info: MQTTConnectionInfo?
    var lastError: MQTTError?
    /// The id that the broker has chosen for a client that asked for one.
    var assignedClientID: MQTTClientID?
    var number: UInt64 = 0
    var connecting = PendingAnswers<MQTTConnectionInfo>()
    var publishing = PendingAnswers<MQTTReasonCode>()
    var acknowledging = PendingAnswers<MQTTAcknowledgement>()
    var ending = PendingAnswers<Void>()
    var requests = RequestTable()
    var responses = ResponseSubscriptions()
    /// Batches under way.
    var batches: [UInt64: PublishBatch] = [:]
    var subscriptions: [UInt64: ClientSubscription] = [:]
    var router = SubscriptionRouter<ClientSubscription>()
    /// Whose session ``subscriptions`` are noted in; nil before the first connection and after an end.
    var sessionBroker: MQTTBrokerAddress?
    /// Whether the broker's session is not of this client's making. What else it holds is not known: beside
    /// the identifier of an overlapping filter one more would end the connection.
    var isSessionForeign = false
    /// Filters that the broker's session may still have although nobody wants them.
    var leftovers: Set<MQTTTopicFilter> = []
    /// Subscriptions whose buffer is full, and for whose sake the socket is not read.
    var full: Set<UInt64> = []
    var pauseTimer: MQTTTimer?
    /// What this client and its earlier connections dropped.
    var ownDrops = MQTTDropCounts()
    /// How the latest connection ended: what ``disconnect(drainingFor:)`` returned, also where ``run()``
    /// or ``withConnection(configuration:eventLoop:logger:_:)`` called it. Nil before the first end and
    /// after ``abort()``.
    public internal(set) var lastDrainReport: MQTTDrainReport?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// Makes a client that is not connected yet. `logger` gets its warnings; how connections come and go
    /// is told by the logger of the event loop.
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

    /// How the client stands with its broker, beginning with the present state. Each call has a stream of
    /// its own, which keeps only the latest state.
    public nonisolated var connectionEvents: AsyncStream<MQTTConnectionState> { states.stream() }

    // MARK: Publishing

    /// Publishes, and returns the broker's reason, or at QoS 0 success once the message is written. The
    /// reason may be an error (see ``MQTTReasonCode/isError``).
    ///
    /// Throws `notConnected` and `closed` without a connection, `outboxFull` when too many wait,
    /// `unsupported` and `packetTooLarge` for what the broker does not accept, and `invalidArgument`; then
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

    /// Publishes messages one after the other without waiting in between, and returns the broker's reason
    /// for each when all are done. Much faster than awaiting each.
    ///
    /// A batch may be of any size: its messages wait here, outside the bounds of the outbox, while the
    /// caller waits for them. Nothing that the client publishes later overtakes them.
    /// When the task is cancelled no more of them are sent, and those without an answer fail with
    /// `cancelled`. Throws `notConnected` without a connection; nothing was sent then.
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

    /// Publishes without waiting for an answer. Returns false if the message was not taken: without a
    /// connection, where too many wait, for what the broker does not support.
    @discardableResult
    public func publishWithoutWaiting(_ message: MQTTMessage) -> Bool {
        guard let connection, connection.isConnected else {
            countDrop(.notTaken)
            return false
        }
        return connection.publishWithoutWaiting(
            message.carryingCurrentContext(configuration.version))
    }

    /// Counts messages that come while there is no connection, and says so.
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

    /// Waits until the broker has answered to what `ask` asks, or the task is cancelled.
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

    /// Runs `body` on the loop soon; for callers that may be anywhere.
    nonisolated func onLoop(_ body: @escaping @Sendable (isolated MQTTClient) -> Void) {
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { body($0) }
        }
    }
}
