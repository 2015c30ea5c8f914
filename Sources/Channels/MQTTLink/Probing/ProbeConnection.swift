package import Basics
package import MQTTClient

/// One connection to a broker for a diagnosis: it connects once, never again, and everything it hears
/// goes to one listener.
package actor ProbeConnection {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    private struct Wait {
        let matches: @Sendable (MQTTMessage) -> Bool
        let slot: AnswerSlot<Bool>
    }

    private nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let configuration: MQTTConfiguration
    private var connection: MQTTConnection?
    private var opening: AnswerSlot<Result<MQTTConnectionInfo, MQTTError>>?
    private var listener: @Sendable (MQTTMessage) -> Void = { _ in }
    private var waits: [Int: Wait] = [:]
    private var lastWait = 0
    /// Why the connection was lost.
    private var loss: MQTTError?

    /// A connection that is not open yet.
    /// - Parameters:
    ///   - receiveMaximum: how many unacknowledged messages the broker may send at once.
    ///   - isPlain: whether TCP acknowledgements are left to the system, as most clients do.
    package init(
        _ link: MQTTLinkConfiguration, receiveMaximum: UInt16 = 1_000, isPlain: Bool = false,
        on eventLoop: MQTTEventLoop
    ) throws(MQTTError) {
        var configuration = try link.connection()
        configuration.reconnect = .never
        configuration.receiveMaximum = receiveMaximum
        configuration.acknowledgesSegmentsAtOnce = !isPlain
        self.configuration = configuration
        self.eventLoop = eventLoop
    }

    /// Connects.
    /// - Throws: why the only attempt failed.
    package func open() async throws(MQTTError) -> MQTTConnectionInfo {
        let slot = AnswerSlot<Result<MQTTConnectionInfo, MQTTError>>()
        opening = slot
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: eventLoop, owner: self
        ) { probe, event in
            probe.handle(event)
        }
        self.connection = connection
        connection.start()
        return try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Connects with another connection for as long as `body` runs.
    package static func with<Value: Sendable>(
        _ connection: ProbeConnection,
        _ body: (MQTTConnectionInfo) async throws(MQTTError) -> Value
    ) async throws(MQTTError) -> Value {
        do {
            let value = try await body(try await connection.open())
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Disconnects.
    package func close() async {
        guard let connection else { return }
        let slot = AnswerSlot<Bool>()
        connection.close(drainingFor: .seconds(1)) { slot.resolve($0.isDisconnectSent) }
        _ = await slot.value(ifCancelled: false)
        self.connection = nil
    }

    /// Calls `body` for every message from now on, on the event loop.
    package func listen(_ body: @escaping @Sendable (MQTTMessage) -> Void) { listener = body }

    // MARK: Requests

    /// Subscribes.
    /// - Returns: the broker's answer for each filter.
    @discardableResult
    package func subscribe(
        _ requests: [MQTTSubscriptionRequest]
    ) async throws(MQTTError) -> [MQTTReasonCode] {
        try await answer { $0.subscribe(requests, completion: $1) }
    }

    /// Publishes.
    /// - Returns: the broker's answer; success at QoS 0.
    @discardableResult
    package func publish(_ message: MQTTMessage) async throws(MQTTError) -> MQTTReasonCode {
        try await answer { $0.publish(message, completion: $1) }
    }

    /// Publishes messages in their order, as fast as the broker takes them.
    /// - Returns: the broker's answer for each.
    package func publish(
        contentsOf messages: [MQTTMessage]
    ) async throws(MQTTError) -> [MQTTReasonCode] {
        try await answer { connection, completion in
            connection.publish(contentsOf: messages) { results in
                completion(Result(catching: { () throws(MQTTError) in try results.get() }))
            }
        }
    }

    /// Publishes a message, and waits for another one that follows from it.
    package func exchange(
        _ message: MQTTMessage, within limit: Duration,
        until matches: @escaping @Sendable (MQTTMessage) -> Bool
    ) async throws(MQTTError) -> ProbeExchange {
        let answer = expect(within: limit, matches)
        let start = ContinuousClock.now
        let reason = try await publish(message)
        guard !reason.isError else { return ProbeExchange(reason: reason, roundTrip: nil) }
        let isAnswered = await answer.value(ifCancelled: false)
        if let loss { throw loss }
        return ProbeExchange(
            reason: reason, roundTrip: isAnswered ? start.duration(to: .now) : nil)
    }

    /// A slot that says whether a message comes in time.
    package func expect(
        within limit: Duration, _ matches: @escaping @Sendable (MQTTMessage) -> Bool
    ) -> AnswerSlot<Bool> {
        lastWait += 1
        let number = lastWait
        let slot = AnswerSlot<Bool>()
        waits[number] = Wait(matches: matches, slot: slot)
        eventLoop.schedule(after: max(limit, .zero)) { [weak self] in
            slot.resolve(false)
            self?.assumeIsolated { $0.waits[number] = nil }
        }
        return slot
    }

    /// Lets time pass while messages are heard.
    /// - Throws: why the connection was lost meanwhile.
    package func pause(_ time: Duration) async throws(MQTTError) {
        _ = await expect(within: time) { _ in false }.value(ifCancelled: false)
        if let loss { throw loss }
    }

    /// Stops reading from the socket.
    package func pauseReading() { connection?.pauseReading() }

    /// Reads from the socket again.
    package func resumeReading() { connection?.resumeReading() }

    private func answer<Value: Sendable>(
        _ ask: (MQTTConnection, @escaping (Result<Value, MQTTError>) -> Void) -> Void
    ) async throws(MQTTError) -> Value {
        if let loss { throw loss }
        guard let connection else { throw .noConnection }
        let slot = AnswerSlot<Result<Value, MQTTError>>()
        ask(connection) { slot.resolve($0) }
        return try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    // MARK: Events

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected(let info): opening?.resolve(.success(info))
        case .message(let message): received(message)
        case .skipped, .closed: break
        case .disconnected(let error, _): lost(error)
        }
    }

    private func received(_ message: MQTTMessage) {
        listener(message)
        for (number, wait) in waits where wait.matches(message) {
            wait.slot.resolve(true)
            waits[number] = nil
        }
    }

    private func lost(_ error: MQTTError) {
        loss = error
        opening?.resolve(.failure(error))
        for wait in waits.values { wait.slot.resolve(false) }
        waits = [:]
    }
}

/// What became of a message that another one should follow.
package struct ProbeExchange: Sendable {
    /// The broker's answer.
    package let reason: MQTTReasonCode
    /// The time until the broker's answer and the other message had come; `nil` if the other one did not.
    package let roundTrip: Duration?
}
