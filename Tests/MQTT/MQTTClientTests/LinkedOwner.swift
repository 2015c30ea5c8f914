import TestSupport

@testable import MQTTClient

/// What happens on a connection, in its order.
typealias LinkEvents = AsyncStream<MQTTConnectionEvent>.Iterator

/// A client whose network is shaped, connecting to a broker that follows a script.
func withConnecting(
    over conditions: LinkConditions = .clear, seed: UInt64 = 1, by clock: ManualLoopClock? = nil,
    client: (LinkedOwner, inout LinkEvents, FakeBroker) async throws -> Void,
    broker script: @escaping @Sendable (FakeBroker) throws -> Void
) async throws {
    try await withFakeBroker(
        { broker in
            try await withLoop(clock: clock.map(LoopClock.manual) ?? .system) { loop in
                let owner = LinkedOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .quick(broker.port), over: conditions, seed: seed)
                try await client(owner, &events, broker)
            }
        }, broker: script)
}

/// The same once the broker has accepted it.
func withScript(
    over conditions: LinkConditions = .clear, seed: UInt64 = 1, by clock: ManualLoopClock? = nil,
    client: (LinkedOwner, inout LinkEvents, FakeBroker) async throws -> Void,
    broker script: @escaping @Sendable (FakeBroker) throws -> Void
) async throws {
    try await withConnecting(
        over: conditions, seed: seed, by: clock,
        client: { owner, events, broker in
            _ = try await events.connected()
            try await client(owner, &events, broker)
        }, broker: script)
}

/// A client whose network is shaped, connected to mosquitto, beside another client that subscribes to a topic.
func withPeer(
    hearing topic: String, will: MQTTWill? = nil, keepAlive: Duration? = nil,
    _ body: (LinkedOwner, inout LinkEvents, MQTTPeer) async throws -> Void
) async throws {
    try await withBroker { broker in
        try await MQTTPeer.with(broker.url, id: "peer") { peer in
            try await peer.subscribe(topic)
            try await withLoop { loop in
                let owner = LinkedOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.quick(broker.port)
                configuration.will = will
                if let keepAlive { configuration.keepAlive = keepAlive }
                await owner.connect(configuration)
                _ = try await events.connected()
                try await body(owner, &events, peer)
            }
        }
    }
}

/// An actor on an event loop with a connection whose network it shapes.
actor LinkedOwner {
    nonisolated let loop: MQTTEventLoop
    nonisolated let events: AsyncStream<MQTTConnectionEvent>
    private let sink: AsyncStream<MQTTConnectionEvent>.Continuation
    private var connection: MQTTConnection?
    private var link: ShapedLink?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: MQTTEventLoop) {
        self.loop = loop
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1000))
    }

    var isConnected: Bool { connection?.isConnected == true }
    var relayCount: Int { loop.core.relays.count }

    /// - Parameter seed: what the random numbers of the network derive from.
    func connect(
        _ configuration: MQTTConfiguration, over conditions: LinkConditions = .clear,
        seed: UInt64 = 1
    ) {
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: loop, owner: self
        ) { owner, event in
            owner.sink.yield(event)
        }
        let link = ShapedLink(on: loop, seed: seed)
        connection.goOver(link)
        link.change(to: conditions)
        (self.connection, self.link) = (connection, link)
        connection.start()
    }

    func change(to conditions: LinkConditions) { link?.change(to: conditions) }

    func reset() { connection?.reset() }

    func abort() { connection?.abort() }

    func publish(_ message: MQTTMessage) { connection?.publish(message) }

    /// Publishes at QoS 0, and waits until the message is written.
    func write(_ message: MQTTMessage) async throws {
        let result = await withCheckedContinuation { continuation in
            connection?.publish(message) { continuation.resume(returning: $0) }
        }
        _ = try result.get()
    }

    func subscribe(_ request: MQTTSubscriptionRequest) async throws -> [MQTTReasonCode] {
        let result = await withCheckedContinuation { continuation in
            connection?.subscribe([request]) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    func close() async -> MQTTDrainReport {
        await withCheckedContinuation { continuation in
            connection?.close(drainingFor: .seconds(5)) { continuation.resume(returning: $0) }
        }
    }
}

extension MQTTConfiguration {
    /// A client that comes back 10 ms after each failure.
    static func quick(_ port: UInt16) throws -> MQTTConfiguration {
        var configuration = try MQTTConfiguration.test(port)
        configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(10))
        configuration.reconnect.delays = .fixed
        return configuration
    }
}

extension FakeBrokerPeer {
    /// How the client's side ended; what came before is forgotten.
    func end() -> String {
        while true {
            do { _ = try read() } catch { return "\(error)" }
        }
    }
}
