internal import Basics
private import Glibc
private import MQTTClient

/// Runs `body` with a real mosquitto on a free loopback port, and ends the broker afterwards. Additional
/// `lines` go into its configuration; anonymous clients are allowed unless a line says otherwise.
package func withBroker<Value>(
    _ lines: String..., body: (MosquittoBroker) async throws -> Value
) async throws -> Value {
    let broker = try await MosquittoBroker.start(lines: lines)
    do {
        let value = try await body(broker)
        await broker.stop()
        return value
    } catch {
        await broker.stop()
        throw error
    }
}

/// Two brokers that bridge every message to each other, each with its own clients.
package func withBridgedBrokers<Value>(
    _ body: (MosquittoBroker, MosquittoBroker) async throws -> Value
) async throws -> Value {
    try await withBroker { one in
        try await withBroker(
            "connection cluster", "address 127.0.0.1:\(one.port)", "topic # both 1",
            "bridge_protocol_version mqttv50", "notifications false", "restart_timeout 1",
            "bridge_max_packet_size 0", "try_private true"
        ) { other in
            try await MQTTPeer.with(one.url, id: "bridge-watch") { peer in
                try await peer.subscribe("bridge-watch")
                // Until the bridge is there what is published is not passed on.
                _ = try await MQTTPeer.with(other.url, id: "bridge-try") { other in
                    try await other.publish("bridge-watch", "there")
                }
                for await _ in peer.messages { return }
            }
            return try await body(one, other)
        }
    }
}

/// A mosquitto process of a test.
package final class MosquittoBroker: Sendable {
    package let port: UInt16
    private let configuration: MosquittoConfiguration
    private let process: Guarded<MosquittoProcess?>

    /// Where clients connect.
    package var url: String { "mqtt://127.0.0.1:\(port)" }

    private init(port: UInt16, lines: [String]) throws {
        self.port = port
        self.configuration = try MosquittoConfiguration(port: port, lines: lines)
        self.process = Guarded(nil)
    }

    static func start(lines: [String]) async throws -> MosquittoBroker {
        let broker = try MosquittoBroker(port: freePort(), lines: lines)
        try await broker.start()
        return broker
    }

    /// Starts again on the same port, after ``stop()`` or ``kill()``.
    package func start() async throws {
        let started = try await MosquittoProcess.launch(configuration.path)
        process.withLock { $0 = started }
    }

    /// Ends the broker in order and waits for its end.
    package func stop() async {
        await end(SIGTERM)
    }

    /// Ends the broker without giving it a chance to say goodbye.
    package func kill() async {
        await end(SIGKILL)
    }

    /// Freezes the broker: connections stay, nothing is answered.
    package func freeze() {
        process.withLock { $0?.signal(SIGSTOP) }
    }

    /// Lets a frozen broker go on.
    package func thaw() {
        process.withLock { $0?.signal(SIGCONT) }
    }

    private func end(_ signal: Int32) async {
        guard let process = process.withLock({ $0.take() }) else { return }
        process.signal(signal)
        process.signal(SIGCONT)
        await process.waitForExit()
    }
}
