import MQTTClient
import TestSupport
import Testing

/// QoS 2, and the state that libmosquitto does not keep. Properties.md describes it.
@Suite(.timeLimit(.minutes(1)))
struct QoS2Tests {
    @Test func aMessageIsDoneWithThePUBCOMP() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let reason = try await owner.publish(.test("a", qos: .exactlyOnce)).get()
                #expect(reason == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let identifier = try peer.read(.publish).publishIdentifier
            try peer.send(.pubrec(identifier))
            guard try peer.read(.pubrel).identifier == identifier else {
                throw TestSupportError("wrong PUBREL")
            }
            try peer.send(.pubcomp(identifier))
            _ = peer.readToEnd()
        }
    }

    @Test func aRefusalInThePUBRECIsFinal() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let reason = try await owner.publish(.test("a", qos: .exactlyOnce)).get()
                #expect(reason == .notAuthorized)
                let next = try await owner.publish(.test("b")).get()
                #expect(next == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.pubrec(peer.read(.publish).publishIdentifier, reason: 0x87))
            // No PUBREL comes in front of this.
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    /// Whether the broker has published the message is not known, and the exchange is not taken up again.
    @Test func anOutboundExchangeEndsWithItsConnection() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { owner, events in
                let lost = try await owner.publish(.test("a", qos: .exactlyOnce))
                #expect { try lost.get() } throws: { error in
                    (error as? MQTTError)?.code == .connectionLost
                }
                _ = try await events.disconnected()
                #expect(try await events.connected().sessionPresent)
                let next = try await owner.publish(.test("b")).get()
                #expect(next == .success)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.send(.pubrec(first.read(.publish).publishIdentifier))
            _ = try first.read(.pubrel)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            // Neither PUBLISH with DUP nor PUBREL in front of this.
            let packet = try second.read(.publish)
            guard packet.topic == "b" else { throw TestSupportError("sent again: \(packet)") }
            try second.send(.puback(packet.publishIdentifier))
            _ = second.readToEnd()
        }
    }

    /// The broker's session may hold the identifier: it would swallow another message under it.
    @Test func aResumedSessionSeesNoIdentifierAgain() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { owner, events in
                let message = try MQTTMessage.test("a", qos: .exactlyOnce)
                let lost = await owner.publishTogether([message, message, message])
                #expect(lost.allSatisfy { (try? $0.get()) == nil })
                _ = try await events.disconnected()
                _ = try await events.connected()
                let next = try await owner.publish(.test("b", qos: .exactlyOnce)).get()
                #expect(next == .success)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            var identifiers: Set<Int> = []
            for _ in 0..<3 { identifiers.insert(try first.read(.publish).publishIdentifier) }
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            let identifier = try second.takeExactlyOnce()
            guard !identifiers.contains(identifier) else {
                throw TestSupportError("\(identifier) again")
            }
            _ = second.readToEnd()
        }
    }

    /// Only those are left out: else every return would leave out more.
    @Test func identifiersWhoseExchangeIsDoneAreUsedAgain() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { owner, events in
                let message = try MQTTMessage.test("a", qos: .exactlyOnce)
                let first = try await owner.publish(message).get()
                #expect(first == .success)
                broker.proceed()
                _ = try await events.disconnected()
                _ = try await events.connected()
                let second = try await owner.publish(message).get()
                #expect(second == .success)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            let identifier = try first.takeExactlyOnce()
            try broker.awaitProceed()
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            let again = try second.takeExactlyOnce()
            guard again == identifier else { throw TestSupportError("\(again) ≠ \(identifier)") }
            _ = second.readToEnd()
        }
    }

    /// The library by itself delivers A twice here, and never B.
    @Test func aRepeatedMessageDoesNotReplaceTheNext() async throws {
        let payloads = try await received { first in
            try first.send(.publish(.v5, topic: "a", payload: [1], qos: 2, identifier: 1))
            _ = try first.read(.pubrec)
        } then: { second in
            for (payload, isDuplicate) in [(UInt8(1), true), (2, false)] {
                var packet = FakeBrokerPacket.publish(
                    .v5, topic: "a", payload: [payload], qos: 2, identifier: 1)
                if isDuplicate { packet.header |= 8 }
                try second.send(packet)
                _ = try second.read(.pubrec)
                try second.send(.pubrel(1))
                _ = try second.read(.pubcomp)
            }
        }
        #expect(payloads == [[1], [2]])
    }

    /// What was received and not released is forgotten with its connection: the broker has our PUBREC, so
    /// it does not send the message again.
    @Test func aMessageReleasedOnTheNextConnectionIsLost() async throws {
        let payloads = try await received { first in
            try first.send(.publish(.v5, topic: "a", payload: [1], qos: 2, identifier: 1))
            _ = try first.read(.pubrec)
        } then: { second in
            try second.send(.pubrel(1))
            _ = try second.read(.pubcomp)
        }
        #expect(payloads == [])
    }

    @Test func aReleaseThatIsRepeatedDeliversNothing() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { _, events in
                let message = try await events.message()
                #expect(message.payload == [1])
                _ = try await events.disconnected()
                _ = try await events.connected()
                let next = try await events.message()
                #expect(next.payload == [9])
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.send(.publish(.v5, topic: "a", payload: [1], qos: 2, identifier: 1))
            _ = try first.read(.pubrec)
            try first.send(.pubrel(1))
            _ = try first.read(.pubcomp)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            try second.send(.pubrel(1))
            _ = try second.read(.pubcomp)
            try second.send(.publish(.v5, topic: "a", payload: [9]))
            _ = second.readToEnd()
        }
    }

    /// Delivery waits for PUBREL, so a message with QoS 1 overtakes it.
    @Test func messagesWithQoS1OvertakeThoseWithQoS2() async throws {
        let payloads = try await received { _ in
        } then: { second in
            try second.send(.publish(.v5, topic: "a", payload: [2], qos: 2, identifier: 1))
            try second.send(.publish(.v5, topic: "a", payload: [1], qos: 1, identifier: 2))
            _ = try second.read(.pubrec)
            _ = try second.read(.puback)
            try second.send(.pubrel(1))
        }
        #expect(payloads == [[1], [2]])
    }

    /// The payloads that come over two connections of one session.
    private func received(
        first script: @escaping @Sendable (FakeBrokerPeer) throws -> Void,
        then next: @escaping @Sendable (FakeBrokerPeer) throws -> Void
    ) async throws -> [[UInt8]] {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { _, events in
                _ = try await events.disconnected()
                _ = try await events.connected()
                var payloads: [[UInt8]] = []
                while true {
                    let message = try await events.message()
                    guard message.topic.rawValue != "end" else { return payloads }
                    payloads.append(message.payload)
                }
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try script(first)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            try next(second)
            try second.send(.publish(.v5, topic: "end"))
            _ = second.readToEnd()
        }
    }
}

extension FakeBrokerPacket {
    static func pubrec(_ identifier: Int, reason: UInt8? = nil) -> Self {
        Self(header: 0x50, body: short(identifier) + (reason.map { [$0] } ?? []))
    }

    static func pubrel(_ identifier: Int) -> Self {
        Self(header: 0x62, body: short(identifier))
    }

    static func pubcomp(_ identifier: Int) -> Self {
        Self(header: 0x70, body: short(identifier))
    }
}

extension FakeBrokerPeer {
    /// Reads a PUBLISH of QoS 2 and goes through its exchange; returns its packet identifier.
    func takeExactlyOnce() throws -> Int {
        let identifier = try read(.publish).publishIdentifier
        try send(.pubrec(identifier))
        _ = try read(.pubrel)
        try send(.pubcomp(identifier))
        return identifier
    }
}
