package import MQTTClient

/// A plain MQTT client that plays the other side of a test, knowing nothing of the protocol above.
package actor MQTTPeer {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// What comes on the subscriptions; one consumer.
    package nonisolated let messages: AsyncStream<MQTTMessage>
    /// Why the connection was lost, the newest time; one consumer.
    package nonisolated let losses: AsyncStream<MQTTError>
    private let lossInbox: AsyncStream<MQTTError>.Continuation
    private nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let configuration: MQTTConfiguration
    private let inbox: AsyncStream<MQTTMessage>.Continuation
    private var connection: MQTTConnection?
    private var connecting: CheckedContinuation<Void, any Error>?

    private init(_ configuration: MQTTConfiguration) throws {
        self.configuration = configuration
        eventLoop = try MQTTEventLoop(label: "peer")
        (messages, inbox) = AsyncStream.makeStream(
            of: MQTTMessage.self, bufferingPolicy: .bufferingNewest(100_000))
        (losses, lossInbox) = AsyncStream.makeStream(
            of: MQTTError.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects, runs `body` and takes the client down again.
    package static func with<Value>(
        _ url: String, id: String, version: MQTTProtocolVersion = .v5,
        will: MQTTWill? = nil, credentials: MQTTCredentials? = nil,
        security: MQTTSecurity? = nil,
        _ body: (MQTTPeer) async throws -> Value
    ) async throws -> Value {
        let peer = try MQTTPeer(
            MQTTConfiguration(
                broker: MQTTBrokerAddress(url: url), security: security,
                clientID: MQTTClientID(id), version: version, will: will, credentials: credentials,
                reconnect: MQTTReconnectPolicy(
                    initial: .milliseconds(50), cap: .milliseconds(200))))
        do {
            try await peer.connect()
            let value = try await body(peer)
            await peer.end()
            return value
        } catch {
            await peer.end()
            throw error
        }
    }

    private func connect() async throws {
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: eventLoop, owner: self
        ) { peer, event in
            peer.handle(event)
        }
        self.connection = connection
        try await withCheckedThrowingContinuation { continuation in
            connecting = continuation
            connection.start()
        }
    }

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected:
            connecting?.resume()
            connecting = nil
        case .message(let message): inbox.yield(message)
        case .skipped: break
        case .disconnected(let error, _):
            connecting?.resume(throwing: error)
            connecting = nil
            lossInbox.yield(error)
        case .closed:
            inbox.finish()
            lossInbox.finish()
        }
    }

    /// Waits until the connection, lost before, is there again.
    package func reconnected() async throws {
        while connection?.isConnected != true {
            do {
                try await withCheckedThrowingContinuation { connecting = $0 }
            } catch is MQTTError {
                // A failed attempt is no end: the connection goes on trying.
                continue
            }
        }
    }

    /// Publishes and waits for the broker's reason.
    @discardableResult
    package func publish(
        _ topic: String, _ payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false,
        properties: MQTTProperties = .none
    ) async throws -> MQTTReasonCode {
        let message = MQTTMessage(
            topic: try MQTTTopic(topic), payload: payload, qos: qos, retain: retain,
            properties: properties)
        return try await withCheckedThrowingContinuation { continuation in
            guard let connection else {
                return continuation.resume(throwing: TestSupportError("the peer has ended"))
            }
            connection.publish(message) { continuation.resume(with: $0) }
        }
    }

    /// Publishes a text.
    @discardableResult
    package func publish(
        _ topic: String, _ text: String, qos: MQTTQoS = .atLeastOnce, retain: Bool = false
    ) async throws -> MQTTReasonCode {
        try await publish(topic, Array(text.utf8), qos: qos, retain: retain)
    }

    /// Subscribes; the reasons are the broker's.
    @discardableResult
    package func subscribe(
        _ filters: String..., qos: MQTTQoS = .atLeastOnce
    ) async throws -> [MQTTReasonCode] {
        let requests = try filters.map {
            MQTTSubscriptionRequest(try MQTTTopicFilter($0), qos: qos, retainAsPublished: true)
        }
        return try await withCheckedThrowingContinuation { continuation in
            guard let connection else {
                return continuation.resume(throwing: TestSupportError("the peer has ended"))
            }
            connection.subscribe(requests) { continuation.resume(with: $0) }
        }
    }

    /// Goes away without a goodbye: the will fires.
    package func abort() {
        connection?.abort()
        connection = nil
        inbox.finish()
    }

    private func end() async {
        if let connection {
            await withCheckedContinuation { continuation in
                connection.close(drainingFor: .seconds(1)) { _ in continuation.resume() }
            }
        }
        connection = nil
        inbox.finish()
        await eventLoop.shutdown()
    }
}
