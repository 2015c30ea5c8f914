import InMemoryLogging
import Logging
import MQTTClient
import TestSupport
import Testing

/// A subscription that holds the socket back, and a consumer that waits for what is behind it.
@Suite(.timeLimit(.minutes(1)))
struct SuspensionTests {
    /// The consumer takes nothing until the broker's answer is read, which waits behind the messages.
    @Test func aConsumerThatWaitsForItsClientIsHelpedAndWarned() async throws {
        let log = InMemoryLogHandler()
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.keepAlive = .seconds(5)
                try await MQTTClient.withConnection(
                    configuration: configuration, eventLoop: loop,
                    logger: Logger(label: "test") { _ in log }
                ) { client in
                    let own = try await client.subscribe(to: [.test("a/#")], buffering: .suspend(1))
                    for _ in 0..<2 { _ = try await client.publish(.test("a/1")) }
                    withExtendedLifetime(own) {}
                }
            }
        }
        let warnings = log.entries.filter { $0.level == .warning }
        let warning = try #require(warnings.first)
        #expect(warning.message.description.contains("publishWithoutWaiting"))
        #expect(warning.metadata["filters"] == "a/#")
    }
}
