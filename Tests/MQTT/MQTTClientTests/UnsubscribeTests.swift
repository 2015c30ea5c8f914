import TestSupport
import Testing

@testable import MQTTClient

/// Subscriptions that are ended by their owner.
@Suite(.timeLimit(.minutes(1)))
struct UnsubscribeTests {
    /// MQTT has no UNSUBSCRIBE without a filter.
    @Test func nothingIsAskedForWithoutAFilter() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let reasons = try await owner.unsubscribe([]).get()
                #expect(reasons.isEmpty)
                await owner.close()
            }
        } broker: { broker in
            guard try broker.acceptConnected().readToEnd() == [.disconnect] else {
                throw TestSupportError("more than DISCONNECT")
            }
        }
    }

    @Test func theBrokersWordsComeBack() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                let answer = try await subscription.unsubscribe(userProperties: PropertyTests.users)
                #expect(answer.reasonString == "gone")
                #expect(answer.userProperties == PropertyTests.users)
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "a")
                #expect(try await messages.next() == nil)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let request = try peer.read(.subscribe)
            // In front of the SUBACK, or the client might be the faster one.
            try peer.send(.publish(.v5, topic: "a"))
            try peer.send(.suback(.v5, request.identifier, codes: [1]))
            let packet = try peer.read(.unsubscribe)
            guard try packet.properties() == PropertyTests.userProperties,
                try packet.filters().map(\.filter) == ["a"]
            else { throw TestSupportError("\(packet)") }
            try peer.send(
                .acknowledgement(
                    0xB0, packet.identifier,
                    [.text(0x1F, "gone")] + PropertyTests.userProperties, [0]))
            _ = peer.readToEnd()
        }
    }

    @Test func whatOthersWantStays() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let kept = try await client.subscribe(to: [.test("kept")])
                let ended = try await client.subscribe(to: [.test("ended"), .test("kept")])
                let same = try await client.subscribe(to: [.test("kept")])
                #expect(try await same.unsubscribe() == MQTTAcknowledgement(reasonCodes: []))
                try await ended.unsubscribe()
                // Nobody is asked twice.
                try await ended.unsubscribe()
                var messages = kept.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "kept")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<4 { _ = try peer.acceptSubscribe() }
            let packet = try peer.read(.unsubscribe)
            guard try packet.filters().map(\.filter) == ["ended"] else {
                throw TestSupportError("unsubscribed too much: \(packet)")
            }
            try peer.send(.unsuback(.v5, packet.identifier, codes: [0]))
            try peer.send(.publish(.v5, topic: "kept"))
            _ = peer.readToEnd()
        }
    }

    /// The broker's session still has the filter; it is taken out of it on the next connection.
    @Test func aBrokenConnectionIsMadeGood() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                await #expect { try await subscription.unsubscribe() } throws: { error in
                    (error as? MQTTError)?.code == .connectionLost
                }
                await broker.signalled()
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.acceptSubscribe()
            _ = try first.read(.unsubscribe)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            let packet = try second.read(.unsubscribe)
            guard try packet.filters().map(\.filter) == ["a"] else {
                throw TestSupportError("\(packet)")
            }
            try second.send(.unsuback(.v5, packet.identifier, codes: [0]))
            broker.signal()
            _ = second.readToEnd()
        }
    }

    @Test func withoutAConnectionItEndsAllTheSame() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                broker.proceed()
                await client.reached { if case .disconnected = $0 { true } else { false } }
                await #expect { try await subscription.unsubscribe() } throws: { error in
                    (error as? MQTTError)?.code == .notConnected
                }
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next() == nil)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.acceptSubscribe()
            try broker.awaitProceed()
            peer.cut()
            // No CONNACK for the next attempt.
            _ = try broker.accept().readToEnd()
        }
    }

    @Test func whatCannotBeSentChangesNothing() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                let invalid = [MQTTProperties.UserProperty(name: "a\0", value: "")]
                await #expect {
                    try await subscription.unsubscribe(userProperties: invalid)
                } throws: { error in
                    (error as? MQTTError)?.code == .invalidArgument
                }
                broker.proceed()
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "a")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.acceptSubscribe()
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledWaitLeavesTheConnectionUsable() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                let result = try await cancelled {
                    try await subscription.unsubscribe()
                } when: {
                    await broker.signalled()
                }
                #expect(result.code == .cancelled)
                #expect(try await client.publish(.test("b")) == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.acceptSubscribe()
            _ = try peer.read(.unsubscribe)
            broker.signal()
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }
}
