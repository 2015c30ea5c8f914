import Foundation
import TestSupport
import Testing

@testable import MQTTClient

/// The time that the loop uses for events.
@Suite(.timeLimit(.minutes(1)))
struct LoopTimeTests {
    /// The beginning of a wait is no substitute: keep-alive, acknowledgements and the delays before a
    /// reconnect would count from there.
    @Test func anEventHasTheTimeAtWhichItCame() async throws {
        try await withFakeBroker { broker in
            try await withLoop(label: Self.label) { loop in
                let watcher = Watcher(on: loop)
                let lags = try await watcher.lags(of: 100, port: broker.port)
                #expect(lags.count == 100)
                #expect(lags.allSatisfy { $0 >= 0 }, "events came \(lags) ns after they were sent")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<100 {
                _ = try peer.read(.publish)
                while try !Self.isAsleep() { sched_yield() }
                let now = monotonicNanoseconds()
                let bytes = (0..<8).map { UInt8(truncatingIfNeeded: now >> (8 * $0)) }
                try peer.send(.publish(.v5, topic: "now", payload: bytes))
            }
            _ = peer.readToEnd()
        }
    }

    private static let label = "mqtt-time"

    /// Whether the loop waits for something to happen.
    private static func isAsleep() throws -> Bool {
        let tasks = "/proc/self/task"
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            // A thread may have ended meanwhile.
            guard let line = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8),
                let name = line.range(of: "(\(label)) ")
            else { continue }
            return line[name.upperBound] == "S"
        }
        throw TestSupportError("no thread is called \(label)")
    }

    /// Compares the time at which messages were sent with the loop's when they come.
    private actor Watcher {
        let loop: MQTTEventLoop
        private var connection: MQTTConnection?
        private var lags: [Int64] = []
        private var continuation: CheckedContinuation<[Int64], Never>?

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: MQTTEventLoop) { self.loop = loop }

        /// Exchanges that many messages, one after the other.
        func lags(of count: Int, port: UInt16) async throws -> [Int64] {
            let question = try MQTTMessage.test("ask", qos: .atMostOnce)
            let connection = MQTTConnection(
                configuration: try .test(port), eventLoop: loop, owner: self
            ) { watcher, event in
                watcher.handle(event, question: question, count: count)
            }
            self.connection = connection
            connection.start()
            return await withCheckedContinuation { continuation = $0 }
        }

        private func handle(_ event: MQTTConnectionEvent, question: MQTTMessage, count: Int) {
            switch event {
            case .connected: connection?.publish(question)
            case .message(let message):
                let sent = message.payload.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                lags.append(Int64(loop.core.now) - Int64(sent))
                if lags.count < count { connection?.publish(question) } else { finish() }
            case .skipped, .disconnected, .closed: finish()
            }
        }

        private func finish() {
            continuation.take()?.resume(returning: lags)
        }
    }
}
