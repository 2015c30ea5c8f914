import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import MQTTClient

/// What the logs contain, and what they never contain.
@Suite(.timeLimit(.minutes(1)))
struct LogTests {
    @Test func secretsAreNotLogged() async throws {
        var log = InMemoryLogHandler()
        log.logLevel = .trace
        let logger = Logger(label: "test") { [log] _ in log }
        let loop = try MQTTEventLoop(label: "test", logger: logger)
        try await withFakeBroker { broker in
            let configuration = try Self.secretive(broker.port)
            try await MQTTClient.withConnection(
                configuration: configuration, eventLoop: loop, logger: logger
            ) { client in
                _ = try? await client.publish(.test("a", "canary"))
                await client.reached { if case .connected = $0 { true } else { false } }
                await client.publishWithoutWaiting(try .test("a", "canary"))
                await broker.signalled()
                await client.disconnect(drainingFor: .zero)
            }
            await #expect(throws: MQTTError.self) {
                try await MQTTClient.withConnection(
                    configuration: configuration, eventLoop: loop, logger: logger
                ) { _ in }
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.publish)
            first.cut()
            let second = try broker.acceptConnected()
            _ = try second.read(.publish)
            broker.signal()
            _ = second.readToEnd()
            second.cut()
            let third = try broker.accept()
            _ = try third.readConnect()
            try third.send(.connack(third.version, code: 0x86))
            _ = third.readToEnd()
        }
        await loop.shutdown()
        let lines = log.entries.map { "\($0.message) \($0.metadata)" }
        for event in ["connected", "connection failed", "for good", "undelivered"] {
            #expect(lines.contains { $0.contains(event) })
        }
        #expect(!lines.contains { $0.contains("canary") })
    }

    /// A configuration whose every secret is the word "canary".
    private static func secretive(_ port: UInt16) throws -> MQTTConfiguration {
        var configuration = try MQTTConfiguration.test(port)
        configuration.reconnect.initial = .milliseconds(1)
        configuration.credentials = try MQTTCredentials(username: "canary", password: "canary")
        configuration.will = MQTTWill(try .test("a", "canary"))
        configuration.connectProperties.authentication = try MQTTAuthentication(
            method: "TOKEN", data: Array("canary".utf8))
        return configuration
    }
}
