internal import Basics
private import Glibc
private import MQTTClient

/// Runs `body` with a RabbitMQ of its own whose MQTT plugin listens on a free loopback port, and ends it
/// afterwards. Anonymous clients are its user `guest`. An error comes with what the node complained of.
package func withRabbitMQ<Value>(
    body: (_ port: UInt16) async throws -> Value
) async throws -> Value {
    let broker = try await RabbitMQ.start()
    do {
        let value = try await body(broker.port)
        await broker.stop()
        return value
    } catch {
        await broker.stop()
        throw TestSupportError("\(error); rabbitmq-server: \(broker.complaints)")
    }
}

/// A RabbitMQ node of a test, which keeps all that it writes in one folder.
package final class RabbitMQ: Sendable {
    private struct State {
        var hasEnded = false
        /// The end of what the node has said since it takes connections.
        var output: [UInt8] = []
    }

    /// Debian's own script, behind the wrapper that wants to become another user; else one of the path.
    private static var program: String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = ["/usr/lib/rabbitmq/bin"] + path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/rabbitmq-server" }.first { access($0, X_OK) == 0 }
    }

    /// Whether the program is there.
    package static var isInstalled: Bool { program != nil }

    /// Where clients connect.
    fileprivate let port: UInt16
    /// Where the node's port mapper listens, a program that would stay behind.
    private let mapper: UInt16
    private let folder: TemporaryFolder
    private let child: SpawnedProcess
    private let state = Guarded(State())
    private let ends: AsyncStream<Void>
    private let sink: AsyncStream<Void>.Continuation

    private init() throws(TestSupportError) {
        guard let program = Self.program else {
            throw TestSupportError("rabbitmq-server is not installed")
        }
        (ends, sink) = AsyncStream.makeStream()
        let ports = try Self.freePorts(3)
        port = ports[0]
        mapper = ports[1]
        folder = try TemporaryFolder()
        try folder.file("enabled_plugins", "[rabbitmq_mqtt].\n")
        try folder.file("rabbitmq.conf", Self.configuration(port))
        child = try SpawnedProcess(
            [
                "env", "HOME=\(folder.path)", "RABBITMQ_NODENAME=test\(port)@localhost",
                "RABBITMQ_CONFIG_FILE=\(folder.path)/rabbitmq",
                "RABBITMQ_ENABLED_PLUGINS_FILE=\(folder.path)/enabled_plugins",
                "RABBITMQ_MNESIA_BASE=\(folder.path)/mnesia",
                "RABBITMQ_LOG_BASE=\(folder.path)/log", "RABBITMQ_DIST_PORT=\(ports[2])",
                "RABBITMQ_ALLOW_INPUT=1", "ERL_CRASH_DUMP=\(folder.path)/crash",
                "ERL_EPMD_PORT=\(mapper)", program,
            ])
    }

    /// Different ones: asked for one by one, the system may name one twice.
    private static func freePorts(_ count: Int) throws(TestSupportError) -> [UInt16] {
        var listeners: [LoopbackListener] = []
        defer { for listener in listeners { listener.close() } }
        for _ in 0..<count { listeners.append(try LoopbackListener()) }
        return listeners.map(\.port)
    }

    private static func configuration(_ port: UInt16) -> String {
        """
        listeners.tcp = none
        mqtt.listeners.tcp.1 = 127.0.0.1:\(port)
        mqtt.allow_anonymous = true
        mqtt.tcp_listen_options.nodelay = true
        loopback_users = none
        log.console = true
        log.console.level = info

        """
    }

    /// Returns once it takes connections. The thread that starts it lives as long as it does.
    fileprivate static func start() async throws -> RabbitMQ {
        try await withCheckedThrowingContinuation { continuation in
            detachThread {
                do throws(TestSupportError) {
                    let broker = try started()
                    continuation.resume(returning: broker)
                    broker.accompany()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// On a busy machine a node may look for its port mapper before that listens, and ends then.
    private static func started() throws(TestSupportError) -> RabbitMQ {
        for _ in 0..<2 {
            let broker = try RabbitMQ()
            do throws(TestSupportError) {
                try broker.awaitStart()
                return broker
            } catch {
                guard error.description.contains("nodistribution") else { throw error }
            }
        }
        let broker = try RabbitMQ()
        try broker.awaitStart()
        return broker
    }

    private func awaitStart() throws(TestSupportError) {
        var text = ""
        while let part = child.read() {
            text += String(decoding: part, as: UTF8.self)
            if text.contains("Server startup complete") { return }
        }
        collect()
        throw TestSupportError("rabbitmq-server ended: \(text.suffix(4_000))")
    }

    private func accompany() {
        while let part = child.read() {
            state.withLock { $0.output = ($0.output + part).suffix(256_000) }
        }
        collect()
        sink.finish()
    }

    /// The last errors that the node told of, in one line.
    fileprivate var complaints: String {
        state.withLock { String(decoding: $0.output, as: UTF8.self) }
            .split(separator: "\n").filter { $0.contains("[error]") }
            .suffix(40).joined(separator: " | ")
    }

    private func collect() {
        state.withLock { state in
            // From here on the identifier may be another process's.
            state.hasEnded = true
            _ = child.collect()
        }
        do {
            let end = try SpawnedProcess(["epmd", "-port", "\(mapper)", "-kill"])
            while end.read() != nil {}
            _ = end.collect()
        } catch {}
    }

    fileprivate func stop() async {
        state.withLock { if !$0.hasEnded { _ = kill(child.processID, SIGTERM) } }
        for await _ in ends {}
    }
}
