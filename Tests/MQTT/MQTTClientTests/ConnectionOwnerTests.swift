import MQTTClient
import TestSupport
import Testing

/// The actor in whose isolation a connection brings its events.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionOwnerTests {
    /// An owner that retries at once, endlessly, does not block the loop.
    @Test func completionsThatTryAgainAtOnceLeaveTheLoopToOthers() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let stubborn = Stubborn(on: loop)
                try await stubborn.begin()
                let reason = try await MQTTClient.withConnection(
                    configuration: .test(broker.port), eventLoop: loop
                ) { try await $0.publish(.test("a")) }
                #expect(reason == .noMatchingSubscribers)
                await stubborn.end()
            }
        }
    }

    /// Its events would come on the loop's thread whatever it does elsewhere.
    @Test func anOwnerFromElsewhereIsRefused() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let loop = try MQTTEventLoop(label: "test")
            // Its code runs on the loop's thread, and it does not live there.
            let executor = MQTTLoopTaskExecutor(loop)
            await withTaskExecutorPreference(executor) { try? await Elsewhere().connect(on: loop) }
        }
        let words = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(words.contains("must have the event loop as its executor"))
    }
}

/// An actor with an executor of its own.
private actor Elsewhere {
    func connect(on loop: MQTTEventLoop) throws {
        _ = MQTTConnection(configuration: try .test(1), eventLoop: loop, owner: self) { _, _ in }
    }
}

/// Publishes without a connection, again and again.
private actor Stubborn {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let loop: MQTTEventLoop
    private var connection: MQTTConnection?
    private var isOver = false

    init(on loop: MQTTEventLoop) {
        self.loop = loop
    }

    func begin() throws {
        connection = MQTTConnection(configuration: try .test(1), eventLoop: loop, owner: self) {
            _, _ in
        }
        tryAgain(try .test("a"))
    }

    func end() {
        isOver = true
    }

    private func tryAgain(_ message: MQTTMessage) {
        connection?.publish(message) { _ in
            self.assumeIsolated { if !$0.isOver { $0.tryAgain(message) } }
        }
    }
}
