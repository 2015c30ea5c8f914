import TestSupport
import Testing

@testable import MQTTClient

/// Answers that are easily missed.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionAnswerTests {
    @Test func oneRefusedFilterIsToldOfItsOwn() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let filters = try ["a", "b", "c"].map { try MQTTSubscriptionRequest.test($0) }
                let reasons = try await owner.subscribe(filters).get()
                #expect(reasons == [.grantedQoS1, .notAuthorized, .success])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let subscribe = try peer.read(.subscribe)
            try peer.send(.suback(peer.version, subscribe.identifier, codes: [1, 0x87, 0]))
            _ = peer.readToEnd()
        }
    }

    @Test func aClientsSubscriptionIsRefusedAsAWhole() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                try await client.connect()
                let filters = try ["a", "b"].map { try MQTTSubscriptionRequest.test($0) }
                await #expect { _ = try await client.subscribe(to: filters) } throws: { error in
                    (error as? MQTTError)?.reasonCode == .notAuthorized
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            // One for each filter, because each has an identifier.
            for code: UInt8 in [1, 0x87] {
                let subscribe = try peer.read(.subscribe)
                try peer.send(.suback(peer.version, subscribe.identifier, codes: [code]))
            }
            _ = peer.readToEnd()
        }
    }

    /// Unacknowledged, a message that is unusable would come again with every connection.
    @Test func messagesThatAreDroppedAreAcknowledged() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, _ in
                var acknowledged = broker.signals.makeAsyncIterator()
                #expect(await acknowledged.next() != nil)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.publish(.v5, topic: "a/+", qos: 1, identifier: 3))
            guard try peer.read(.puback).identifier == 3 else { throw TestSupportError("not it") }
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func anAnswerThatIsGivenUpLeavesTheConnection() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker, clock: .manual(clock)) {
                // No acknowledgement is outstanding any more.
                $0.keepAlive = .seconds(3_600)
                $0.acknowledgementTimeout = .seconds(30)
            } body: { owner, events in
                async let lost = owner.subscribe([.test("a")])
                await broker.signalled()
                try await owner.with { $0.giveUpSubscribeAnswers() }
                guard case .failure(let error) = try await lost else {
                    Issue.record("there was no answer")
                    return
                }
                #expect(error.code == .acknowledgementTimeout)
                clock.advance(by: .seconds(31))
                #expect(try await owner.subscribe([.test("b")]).get() == [.success])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let lost = try peer.read(.subscribe)
            broker.signal()
            let next = try peer.read(.subscribe)
            // The late answer is ignored.
            try peer.send(.suback(peer.version, lost.identifier, codes: [0x87]))
            try peer.send(.suback(peer.version, next.identifier, codes: [0]))
            _ = peer.readToEnd()
        }
    }
}
