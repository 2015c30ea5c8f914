import Dispatch
import MQTTClient
import TestSupport
import Testing

/// How acknowledgements, and their absence, end a publish.
@Suite(.timeLimit(.minutes(1)))
struct AcknowledgementTests {
    @Test func refusedPublishCompletesWithItsReason() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let reason = try await owner.publish(.test("a")).get()
                #expect(reason == .notAuthorized)
                #expect(reason.isError)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let publish = try peer.read(.publish)
            try peer.send(.puback(publish.publishIdentifier, reason: 0x87))
            _ = peer.readToEnd()
        }
    }

    @Test func repeatedAndUnknownAcknowledgementsDoNotWidenTheWindow() async throws {
        let (order, sink) = AsyncStream.makeStream(of: String.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let results = try await owner.publishTogether(
                    (1...4).map { try .test("a/\($0)") })
                #expect(results.allSatisfy { (try? $0.get()) == .success })
                let topics = await order.prefix(4).reduce(into: []) { $0.append($1) }
                #expect(topics == ["a/1", "a/2", "a/3", "a/4"])
            }
        } broker: { broker in
            // Receive Maximum 2: the third may come only after an acknowledgement that counts.
            let peer = try broker.acceptConnected(properties: [0x21, 0, 2])
            let first = try peer.read(.publish)
            let second = try peer.read(.publish)
            sink.yield(first.topic)
            sink.yield(second.topic)
            for stray in [500, 501, 502] { try peer.send(.puback(stray)) }
            try Self.checkThatNothingElseComes(to: peer)
            for _ in 0..<3 { try peer.send(.puback(first.publishIdentifier)) }
            let third = try peer.read(.publish)
            sink.yield(third.topic)
            try Self.checkThatNothingElseComes(to: peer)
            try peer.send(.puback(second.publishIdentifier))
            let fourth = try peer.read(.publish)
            sink.yield(fourth.topic)
            try peer.send(.puback(third.publishIdentifier))
            try peer.send(.puback(fourth.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    /// Makes the client acknowledge a message, so that everything it sent before has arrived.
    private static func checkThatNothingElseComes(to peer: FakeBrokerPeer) throws {
        try peer.send(.publish(peer.version, topic: "in", qos: 1, identifier: 9))
        _ = try peer.read(.puback)
    }

    /// While reading is paused no answer can be seen; afterwards the time counts again.
    @Test func theTimeForAcknowledgementsCountsAgainAfterAPause() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.acknowledgementTimeout = .milliseconds(300)
            } body: { owner, events in
                async let published = owner.publish(.test("a"))
                await broker.signalled()
                try await owner.with { $0.pauseReading() }
                await withCheckedContinuation { continuation in
                    owner.loop.schedule(after: .milliseconds(600)) { continuation.resume() }
                }
                try await owner.with { $0.resumeReading() }
                #expect(try await events.disconnected().error.code == .acknowledgementTimeout)
                _ = try await published
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// Written QoS 0 messages do not show that the broker acknowledges.
    @Test func unconfirmedMessagesDoNotProlongTheTimeForAcknowledgements() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port,
                configure: {
                    $0.acknowledgementTimeout = .milliseconds(300)
                    $0.reconnect = .never
                }
            ) { client in
                async let unanswered = client.publish(.test("a"))
                let unconfirmed = try MQTTMessage.test("b", qos: .atMostOnce)
                while (try? await client.publish(unconfirmed)) != nil {}
                do {
                    _ = try await unanswered
                    Issue.record("nobody answered")
                } catch let error as MQTTError {
                    #expect(error.code == .connectionLost)
                }
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func nothingIsSentAgainAfterAReconnect() async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(600)
            } body: { owner, events in
                let lost = try await owner.publish(.test("first"))
                #expect(throws: MQTTError.self) { try lost.get() }
                if case .failure(let error) = lost { #expect(error.code == .connectionLost) }
                _ = try await events.disconnected()
                _ = try await events.connected()
                #expect(try await owner.publish(.test("second")).get() == .success)
                var iterator = packets.makeAsyncIterator()
                let packet = try #require(await iterator.next())
                #expect(packet.topic == "second")
                #expect(!packet.isDuplicate)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.publish)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            let publish = try second.read(.publish)
            sink.yield(publish)
            try second.send(.puback(publish.publishIdentifier))
            _ = second.readToEnd()
        }
    }

    @Test func publishingWithoutConnectionFailsAtOnce() async throws {
        try await withLoop { loop in
            let owner = TestOwner(on: loop)
            await owner.connect(try .test(try freePort()))
            let result = try await owner.publish(.test("a"))
            guard case .failure(let error) = result else {
                Issue.record("there is no connection")
                return
            }
            #expect(error.code == .notConnected)
        }
    }

    @Test func outboxIsBounded() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { configuration in
                configuration.sendMaximum = 1
                configuration.maximumPendingMessages = 2
            } body: { owner, _ in
                let results = try await owner.publishTogether(
                    (1...5).map { try .test("a/\($0)") })
                let codes = results.map { result -> MQTTError.Code? in
                    if case .failure(let error) = result { error.code } else { nil }
                }
                #expect(codes == [nil, nil, nil, .outboxFull, .outboxFull])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<3 {
                try peer.send(.puback(peer.read(.publish).publishIdentifier))
            }
            _ = peer.readToEnd()
        }
    }

    @Test func brokerLimitsAreRespected() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                var retained = try MQTTMessage.test("a", qos: .atMostOnce)
                retained.retain = true
                let results = await [
                    owner.publish(retained), owner.publish(try .test("a", qos: .exactlyOnce)),
                    owner.publish(try .test("a", String(repeating: "x", count: 200))),
                ]
                let codes = results.map { result -> MQTTError.Code? in
                    if case .failure(let error) = result { error.code } else { nil }
                }
                #expect(codes == [.unsupported, .unsupported, .packetTooLarge])
            }
        } broker: { broker in
            // Maximum QoS 1, Retain Available 0, Maximum Packet Size 100.
            let peer = try broker.acceptConnected(
                properties: [0x24, 1, 0x25, 0, 0x27, 0, 0, 0, 100])
            _ = peer.readToEnd()
        }
    }

    /// With its PUBACK a broker forgets a message: that waits until the handler is done with it.
    @Test func theHandlerRunsBeforeThePUBACK() async throws {
        let handled = DispatchSemaphore(value: 0)
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop) { event in
                    guard case .message = event else { return }
                    broker.proceed()
                    _ = handled.wait(timeout: .now() + .seconds(20))
                }
                await owner.connect(try .test(broker.port))
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.publish(.v5, topic: "in", qos: 1, identifier: 9))
            try broker.awaitProceed()
            let isEarly = peer.hasInput
            handled.signal()
            guard !isEarly else { throw TestSupportError("PUBACK did not wait for the handler") }
            guard try peer.read(.puback).identifier == 9 else {
                throw TestSupportError("wrong PUBACK")
            }
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func topicsWithWildcardsAreDroppedAndCounted() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, events in
                let message = try await events.message()
                #expect(message.topic.rawValue == "good")
                let dropped = try await owner.with { $0.droppedInboundMessages }
                #expect(dropped == 2)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.publish(.v5, topic: "a/+/b"))
            try peer.send(.publish(.v5, topic: "a/#"))
            try peer.send(.publish(.v5, topic: "good"))
            _ = peer.readToEnd()
        }
    }
}

/// Runs `body` with an owner that is connected to the broker.
func withConnectedOwner<Value>(
    _ broker: FakeBroker, clock: LoopClock = .system,
    configure: (inout MQTTConfiguration) -> Void = { _ in },
    body: (TestOwner, inout AsyncStream<MQTTConnectionEvent>.Iterator) async throws -> Value
) async throws -> Value {
    try await withLoop(clock: clock) { loop in
        var configuration = try MQTTConfiguration.test(broker.port)
        configuration.reconnect.initial = .milliseconds(1)
        configure(&configuration)
        let owner = TestOwner(on: loop)
        await owner.connect(configuration)
        var events = owner.events.makeAsyncIterator()
        _ = try await events.connected()
        return try await body(owner, &events)
    }
}

extension TestOwner {
    /// Publishes all messages in one turn of the loop and returns their results in order.
    func publishTogether(
        _ messages: [MQTTMessage]
    ) async -> [Result<MQTTReasonCode, MQTTError>] {
        let (results, sink) = AsyncStream.makeStream(
            of: (Int, Result<MQTTReasonCode, MQTTError>).self)
        for (index, message) in messages.enumerated() {
            publish(message, then: { sink.yield((index, $0)) })
        }
        var collected: [(Int, Result<MQTTReasonCode, MQTTError>)] = []
        for await result in results {
            collected.append(result)
            if collected.count == messages.count { break }
        }
        return collected.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
