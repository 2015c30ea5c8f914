import MQTTClient
import TestSupport
import Testing

/// The actor in whose isolation a connection brings its events.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionOwnerTests {
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
        #expect(words.contains("must have the event loop for its executor"))
    }
}

/// An actor with an executor of its own.
private actor Elsewhere {
    func connect(on loop: MQTTEventLoop) throws {
        _ = MQTTConnection(configuration: try .test(1), eventLoop: loop, owner: self) { _, _ in }
    }
}
