import MQTTClient
import TestSupport
import Testing

/// Messages that are published together and awaited as one.
@Suite(.timeLimit(.minutes(1)))
struct PublishBatchTests {
    @Test(arguments: MQTTProtocolVersion.allCases, MQTTQoS.allCases)
    func aBatchLargerThanTheOutboxArrivesInOrder(
        version: MQTTProtocolVersion, qos: MQTTQoS
    ) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, version: version)
                configuration.maximumPendingMessages = 7
                configuration.sendMaximum = 5
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("a/#", qos: qos)])
                    let messages = try (0..<200).map { try MQTTMessage.test("a/\($0)", qos: qos) }
                    let results = try await client.publish(contentsOf: messages)
                    #expect(results.count == 200)
                    #expect(results.allSucceeded)
                    #expect(try results.get() == Array(repeating: .success, count: 200))
                    var received = subscription.makeAsyncIterator()
                    for message in messages {
                        #expect(try await received.next()?.topic == message.topic)
                    }
                }
            }
        }
    }

    @Test func messagesOfOneTurnGoOutTogether() async throws {
        try await withFakeBroker { broker in
            try await withConnectedClient(broker) { client in
                let messages = try (1...50).map { try MQTTMessage.test("a/\($0)") }
                #expect(try await client.publish(contentsOf: messages).allSucceeded)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let before = try #require(peer.dataSegments)
            let packets = try (0..<50).map { _ in try peer.read(.publish) }
            let segments = try #require(peer.dataSegments) - before
            guard segments < 5 else { throw TestSupportError("\(segments) segments came") }
            for packet in packets { try peer.send(.puback(packet.publishIdentifier)) }
            _ = peer.readToEnd()
        }
    }

    @Test func eachMessageHasAResultOfItsOwn() async throws {
        try await withFakeBroker { broker in
            try await withConnectedClient(broker) { client in
                var messages = try (1...4).map { try MQTTMessage.test("a/\($0)") }
                messages[2].retain = true
                let results = try await client.publish(contentsOf: messages)
                #expect(try results[0].get() == .notAuthorized)
                #expect(try results[1].get() == .noMatchingSubscribers)
                #expect(results[2].code == .unsupported)
                #expect(try results[3].get() == .success)
                #expect(!results.allSucceeded)
                #expect { try results.get() } throws: {
                    ($0 as? MQTTError)?.code == .unsupported
                }
            }
        } broker: { broker in
            // Retain Available 0.
            let peer = try broker.acceptConnected(properties: [0x25, 0])
            let packets = try (0..<3).map { _ in try peer.read(.publish) }
            try peer.send(.puback(packets[1].publishIdentifier, reason: 0x10))
            try peer.send(.puback(packets[0].publishIdentifier, reason: 0x87))
            try peer.send(.puback(packets[2].publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func whatWasNotSentWhenTheConnectionBrokeIsToldApart() async throws {
        try await withFakeBroker { broker in
            try await withConnectedClient(broker) { client in
                let messages = try (1...5).map { try MQTTMessage.test("a/\($0)") }
                let results = try await client.publish(contentsOf: messages)
                #expect(try results[0].get() == .success)
                #expect(
                    results.dropFirst().map(\.code) == [
                        .connectionLost, .connectionLost, .notConnected, .notConnected,
                    ])
            }
        } broker: { broker in
            // Receive Maximum 2.
            let peer = try broker.acceptConnected(properties: [0x21, 0, 2])
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = try (0..<2).map { _ in try peer.read(.publish) }
            peer.cut()
        }
    }

    @Test func aCancelledBatchSendsNoMoreAndLeavesTheConnectionUsable() async throws {
        let (arrivals, sink) = AsyncStream.makeStream(of: Void.self)
        try await withFakeBroker { broker in
            try await withConnectedClient(broker) { client in
                let messages = try (1...3).map { try MQTTMessage.test("a/\($0)") }
                try await withThrowingTaskGroup(of: MQTTPublishResults.self) { group in
                    group.addTask { try await client.publish(contentsOf: messages) }
                    for await _ in arrivals { break }
                    group.cancelAll()
                    let results = try #require(try await group.next())
                    #expect(results.map(\.code) == [.cancelled, .cancelled, .cancelled])
                }
                // Tells the script that the batch is cancelled.
                #expect(try await client.publish(.test("b", qos: .atMostOnce)) == .success)
                #expect(try await client.publish(.test("c")) == .success)
            }
        } broker: { broker in
            // Receive Maximum 1: the second may come only after the first is acknowledged.
            let peer = try broker.acceptConnected(properties: [0x21, 0, 1])
            let first = try peer.read(.publish)
            sink.yield()
            _ = try peer.read(.publish)
            try peer.send(.puback(first.publishIdentifier))
            let next = try peer.read(.publish)
            guard next.topic == "c" else { throw TestSupportError("\(next.topic) was cancelled") }
            try peer.send(.puback(next.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func disconnectingDeliversTheWholeBatch() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.sendMaximum = 3
                await owner.connect(configuration)
                _ = try await events.connected()
                let messages = try (0..<50).map { try MQTTMessage.test("a/\($0)") }
                let (results, sink) = AsyncStream.makeStream(of: MQTTPublishResults.self)
                let report = await owner.publishBatchAndClose(messages) { sink.yield($0) }
                #expect(report == .init(delivered: 50, undelivered: 0, isDisconnectSent: true))
                var iterator = results.makeAsyncIterator()
                #expect(await iterator.next()?.allSucceeded == true)
            }
        }
    }

    @Test func anEmptyBatchIsDoneAtOnce() async throws {
        try await withFakeBroker { broker in
            try await withConnectedClient(broker) { client in
                let results = try await client.publish(contentsOf: [])
                #expect(results.isEmpty)
                #expect(results.allSucceeded)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func withoutAConnectionNothingIsTaken() async throws {
        try await withLoop { loop in
            let client = MQTTClient(configuration: try .test(1), eventLoop: loop)
            await #expect { try await client.publish(contentsOf: [.test("a")]) } throws: {
                ($0 as? MQTTError)?.code == .notConnected
            }
        }
    }
}

/// Runs `body` with a client that is connected to the broker and does not come back when it breaks.
private func withConnectedClient(
    _ broker: FakeBroker, body: (MQTTClient) async throws -> Void
) async throws {
    try await withLoop { loop in
        var configuration = try MQTTConfiguration.test(broker.port)
        configuration.reconnect = .never
        try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop, body)
    }
}

extension Result<MQTTReasonCode, MQTTError> {
    /// Why there is no reason code.
    fileprivate var code: MQTTError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

extension TestOwner {
    /// Publishes a batch and closes in the same turn of the loop.
    func publishBatchAndClose(
        _ messages: [MQTTMessage], then completion: @escaping (MQTTPublishResults) -> Void
    ) async -> MQTTDrainReport {
        publish(contentsOf: messages, then: completion)
        return await close(drainingFor: .seconds(30))
    }
}
