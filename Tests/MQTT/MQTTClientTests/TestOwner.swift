import Glibc
import MQTTClient
import TestSupport

/// An actor on an event loop that owns a connection and uses it synchronously.
actor TestOwner {
    nonisolated let loop: MQTTEventLoop
    nonisolated let events: AsyncStream<MQTTConnectionEvent>
    private let sink: AsyncStream<MQTTConnectionEvent>.Continuation
    private var connection: MQTTConnection?
    private(set) var receivedMessages = 0
    private let messages: AsyncStream<MQTTMessage>
    private let messageSink: AsyncStream<MQTTMessage>.Continuation
    private let connections: AsyncStream<Void>
    private let connectionSink: AsyncStream<Void>.Continuation
    private let onEvent: @Sendable (MQTTConnectionEvent) -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `onEvent` is called on the loop, as the handler of a connection is.
    init(
        on loop: MQTTEventLoop,
        onEvent: @escaping @Sendable (MQTTConnectionEvent) -> Void = { _ in }
    ) {
        self.loop = loop
        self.onEvent = onEvent
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(100_000))
        (messages, messageSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(100_000))
        (connections, connectionSink) = AsyncStream.makeStream()
    }

    func connect(_ configuration: MQTTConfiguration) {
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: loop, owner: self
        ) { owner, event in
            owner.handle(event)
        }
        self.connection = connection
        connection.start()
    }

    private func handle(_ event: MQTTConnectionEvent) {
        onEvent(event)
        sink.yield(event)
        switch event {
        case .connected: connectionSink.yield()
        case .message(let message):
            receivedMessages += 1
            messageSink.yield(message)
        case .skipped, .disconnected, .closed: break
        }
    }

    func waitUntilConnected() async throws {
        for await _ in connections { return }
        throw TestSupportError("never connected")
    }

    /// The next message; for tests that do not look at the events.
    func nextMessage() async throws -> MQTTMessage {
        for await message in messages { return message }
        throw TestSupportError("the messages ended")
    }

    /// Runs `body` on the loop with the connection.
    func with<Value: Sendable>(_ body: @Sendable (MQTTConnection) -> Value) throws -> Value {
        guard let connection else { throw TestSupportError("not connected yet") }
        return body(connection)
    }

    func publish(_ message: MQTTMessage) async -> Result<MQTTReasonCode, MQTTError> {
        await withCheckedContinuation { continuation in
            connection?.publish(message) { continuation.resume(returning: $0) }
        }
    }

    /// Hands a message over without waiting.
    func publish(
        _ message: MQTTMessage,
        then completion: @escaping (Result<MQTTReasonCode, MQTTError>) -> Void
    ) {
        connection?.publish(message, completion: completion)
    }

    /// Hands a batch over without waiting.
    func publish(
        contentsOf messages: [MQTTMessage], then completion: @escaping (MQTTPublishResults) -> Void
    ) {
        connection?.publish(contentsOf: messages, completion: completion)
    }

    func subscribe(
        _ requests: [MQTTSubscriptionRequest]
    ) async -> Result<[MQTTReasonCode], MQTTError> {
        await withCheckedContinuation { continuation in
            connection?.subscribe(requests) { continuation.resume(returning: $0) }
        }
    }

    func unsubscribe(_ filters: [MQTTTopicFilter]) async -> Result<[MQTTReasonCode], MQTTError> {
        await withCheckedContinuation { continuation in
            connection?.unsubscribe(filters) { continuation.resume(returning: $0) }
        }
    }

    @discardableResult
    func close(drainingFor limit: Duration = .seconds(5)) async -> MQTTDrainReport {
        await withCheckedContinuation { continuation in
            connection?.close(drainingFor: limit) { continuation.resume(returning: $0) }
        }
    }

    /// Publishes all messages and closes in the same turn of the loop.
    func publishAndClose(_ messages: [MQTTMessage]) async -> MQTTDrainReport {
        for message in messages { connection?.publish(message) }
        return await close(drainingFor: .seconds(30))
    }

    func drop() {
        connection = nil
    }
}

/// Runs `body` with an event loop and shuts the loop down afterwards.
func withLoop<Value>(
    label: String = "test", clock: LoopClock = .system,
    _ body: (MQTTEventLoop) async throws -> Value
) async throws -> Value {
    let loop = try MQTTEventLoop(label: label, clock: clock)
    do {
        let value = try await body(loop)
        await loop.shutdown()
        return value
    } catch {
        await loop.shutdown()
        throw error
    }
}

extension MQTTConfiguration {
    /// A configuration for a broker of a test.
    static func test(
        _ port: UInt16, id: String = "test", version: MQTTProtocolVersion = .v5
    ) throws -> MQTTConfiguration {
        MQTTConfiguration(
            broker: try MQTTBrokerAddress(host: "127.0.0.1", port: port),
            clientID: try MQTTClientID(id), version: version)
    }
}

extension MQTTMessage {
    static func test(_ topic: String, _ text: String = "", qos: MQTTQoS = .atLeastOnce) throws
        -> Self
    {
        MQTTMessage(topic: try MQTTTopic(topic), payload: Array(text.utf8), qos: qos)
    }
}

extension MQTTSubscriptionRequest {
    static func test(_ filter: String, qos: MQTTQoS = .atLeastOnce) throws -> Self {
        MQTTSubscriptionRequest(try MQTTTopicFilter(filter), qos: qos)
    }
}

extension AsyncStream.Iterator where Element == MQTTConnectionEvent {
    /// The next event, which must be a connection.
    mutating func connected() async throws -> MQTTConnectionInfo {
        guard let event = await next(isolation: #isolation) else {
            throw TestSupportError("the events ended")
        }
        guard case .connected(let info) = event else {
            throw TestSupportError("expected a connection, not \(event)")
        }
        return info
    }

    /// The next event, which must be a failure.
    mutating func disconnected() async throws -> (error: MQTTError, retryIn: Duration?) {
        guard let event = await next(isolation: #isolation) else {
            throw TestSupportError("the events ended")
        }
        guard case .disconnected(let error, let delay) = event else {
            throw TestSupportError("expected a failure, not \(event)")
        }
        return (error, delay)
    }

    /// The next event, which must be a message.
    mutating func message() async throws -> MQTTMessage {
        guard let event = await next(isolation: #isolation) else {
            throw TestSupportError("the events ended")
        }
        guard case .message(let message) = event else {
            throw TestSupportError("expected a message, not \(event)")
        }
        return message
    }
}

/// How the first attempt to connect fails.
func firstFailure(
    of configuration: MQTTConfiguration
) async throws -> (error: MQTTError, retryIn: Duration?) {
    try await withLoop { loop in
        let owner = TestOwner(on: loop)
        await owner.connect(configuration)
        var events = owner.events.makeAsyncIterator()
        return try await events.disconnected()
    }
}

/// Blocks until one of the events of `poll` has come to a socket.
func becomeReady(_ socket: CInt, for events: CInt) throws {
    var request = pollfd(fd: socket, events: Int16(events), revents: 0)
    guard poll(&request, 1, 10_000) == 1 else {
        throw TestSupportError("nothing came to the socket")
    }
}
