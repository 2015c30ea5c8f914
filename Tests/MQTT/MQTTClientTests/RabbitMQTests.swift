import TestSupport
import Testing

@testable import MQTTClient

/// Against RabbitMQ with its MQTT plugin, which speaks 3.1.1, where it is installed. One node for all, for
/// it takes seconds to start.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: RabbitMQ.isInstalled, "rabbitmq-server is not installed"))
struct RabbitMQTests {
    @Test func messagesSessionsAndWillsWork() async throws {
        try await withRabbitMQ { port in
            try await withLoop { loop in
                try await messagesComeBack(port, loop)
                try await sessionsAreKept(port, loop)
                try await willsArePublished(port, loop)
                try await subscriptionsAreRenewed(port, loop)
            }
        }
    }

    private func messagesComeBack(_ port: UInt16, _ loop: MQTTEventLoop) async throws {
        let owner = try await connectedHouse(on: loop, .test(port, version: .v3_1_1))
        _ = try await owner.subscribe([.test("a/+"), .test("b/#", qos: .atMostOnce)]).get()
        for size in [0, 1, 100_000] {
            let text = String(repeating: "x", count: size)
            let reason = try await owner.publish(.test("a/b", text)).get()
            #expect(reason == .success)
            let message = try await owner.nextMessage()
            #expect(message.topic.rawValue == "a/b")
            #expect(message.payload.count == size)
        }
        for number in 0..<500 { await owner.publish(try .test("b", "\(number)")) { _ in } }
        for number in 0..<500 {
            let message = try await owner.nextMessage()
            #expect(message.payload == Array("\(number)".utf8))
        }
        let report = await owner.close()
        #expect(report.isDisconnectSent && report.undelivered == 0)
    }

    private func sessionsAreKept(_ port: UInt16, _ loop: MQTTEventLoop) async throws {
        var configuration = try MQTTConfiguration.test(port, id: "sleeper", version: .v3_1_1)
        configuration.cleanStart = false
        let first = try await connectedHouse(on: loop, configuration)
        _ = try await first.subscribe([.test("inbox")]).get()
        await first.close()
        let sender = try await connectedHouse(
            on: loop, .test(port, id: "sender", version: .v3_1_1))
        _ = try await sender.publish(.test("inbox", "while away")).get()
        await sender.close()
        let second = TestOwner(on: loop)
        var events = second.events.makeAsyncIterator()
        await second.connect(configuration)
        #expect(try await events.connected().sessionPresent)
        let message = try await events.message()
        #expect(message.payload == Array("while away".utf8))
        await second.close()
    }

    private func willsArePublished(_ port: UInt16, _ loop: MQTTEventLoop) async throws {
        let watcher = try await connectedHouse(
            on: loop, .test(port, id: "watcher", version: .v3_1_1))
        _ = try await watcher.subscribe([.test("will")]).get()
        var configuration = try MQTTConfiguration.test(port, id: "doomed", version: .v3_1_1)
        configuration.will = MQTTWill(try .test("will", "gone"))
        let owner = try await connectedHouse(on: loop, configuration)
        try await owner.with { $0.abort() }
        let will = try await watcher.nextMessage()
        #expect(will.payload == Array("gone".utf8))
        await watcher.close()
    }

    /// Two clients with one id: RabbitMQ closes the older one, which comes back and finds no session. The node may
    /// delete the queue of the lost session under the new one, which it ends for that (`NOT_FOUND - no queue`, 3.10):
    /// the client comes back once more then.
    private func subscriptionsAreRenewed(_ port: UInt16, _ loop: MQTTEventLoop) async throws {
        var configuration = try MQTTConfiguration.test(port, id: "twice", version: .v3_1_1)
        configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(20))
        try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
            client in
            let subscription = try await client.subscribe(to: [.test("again")])
            configuration.reconnect = .never
            let twin = TestOwner(on: loop)
            var events = twin.events.makeAsyncIterator()
            await twin.connect(configuration)
            _ = try await events.connected()
            // The client has lost its connection and is back.
            _ = try await events.disconnected()
            while true {
                try await client.connect()
                do {
                    _ = try await client.publish(.test("again", "back"))
                    break
                } catch let error as MQTTError where error.code == .connectionLost {
                    continue
                }
            }
            var messages = subscription.makeAsyncIterator()
            let message = try await messages.next()
            #expect(message?.payload == Array("back".utf8))
        }
    }
}
