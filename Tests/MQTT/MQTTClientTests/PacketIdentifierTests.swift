import TestSupport
import Testing

@testable import MQTTClient

/// Numbers that the library gives to packets without looking which are still in use.
@Suite(.timeLimit(.minutes(1)))
struct PacketIdentifierTests {
    /// After 65,534 others an identifier is used again. A message that still waits under it fails, as do all
    /// others that were sent.
    @Test(arguments: [true, false], [true, false])
    func anIdentifierThatComesRoundEndsTheConnection(
        isFirstSubscription: Bool, isSecondSubscription: Bool
    ) async throws {
        @Sendable func ask(_ owner: TestOwner, isSubscription: Bool) async throws -> MQTTError? {
            if isSubscription {
                return try await failure(of: owner.subscribe([.test("a")]))
            }
            return try await failure(of: owner.publish(.test("a")))
        }
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, events in
                async let first = ask(owner, isSubscription: isFirstSubscription)
                await broker.signalled()
                let others = try [MQTTMessage](
                    repeating: .test("b", qos: .atMostOnce), count: 65_534)
                await owner.publishAll(others)
                async let second = ask(owner, isSubscription: isSecondSubscription)
                #expect(try await first?.code == .connectionLost)
                #expect(try await second?.code == .connectionLost)
                let error = try await events.disconnected().error
                #expect(error.code == .acknowledgementTimeout)
                #expect(error.message.contains("identifier"))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read()
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// The session of the broker still holds an exchange, of which an earlier connection was a part: its
    /// identifier is due once more, twice with a message that has none on the wire, then with one that does.
    @Test func anIdentifierThatTheSessionHoldsIsNotUsed() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { owner, events in
                let exactlyOnce = try MQTTMessage.test("a", qos: .exactlyOnce)
                #expect(failure(of: await owner.publish(exactlyOnce))?.code == .connectionLost)
                _ = try await events.disconnected()
                _ = try await events.connected()
                await owner.publishAll(
                    try [MQTTMessage](
                        repeating: .test("b", qos: .atMostOnce), count: 2 * 65_535 - 1))
                #expect(failure(of: await owner.publish(exactlyOnce))?.code == .connectionLost)
                let error = try await events.disconnected().error
                #expect(error.code == .acknowledgementTimeout)
                #expect(error.message.contains("earlier connection"))
                _ = try await events.connected()
                #expect(try await owner.publish(exactlyOnce).get() == .success)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            let held = try first.read(.publish).publishIdentifier
            try first.send(.pubrec(held))
            _ = try first.read(.pubrel)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            while let packet = try? second.read(.publish) {
                guard packet.topic == "b" else { throw TestSupportError("\(packet) was sent") }
            }
            let third = try broker.acceptConnected(sessionPresent: true)
            let identifier = try third.takeExactlyOnce()
            guard identifier != held else { throw TestSupportError("\(held) again") }
            _ = third.readToEnd()
        }
    }

    private func failure<Value>(of result: Result<Value, MQTTError>) -> MQTTError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension TestOwner {
    fileprivate func publishAll(_ messages: [MQTTMessage]) async {
        await withCheckedContinuation { continuation in
            publish(contentsOf: messages) { _ in continuation.resume() }
        }
    }
}
