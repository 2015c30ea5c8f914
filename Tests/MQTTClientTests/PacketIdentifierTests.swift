import TestSupport
import Testing

@testable import MQTTClient

/// Numbers that the library gives to packets without looking which are still in use.
@Suite(.timeLimit(.minutes(1)))
struct PacketIdentifierTests {
    /// After 65,534 others a number is due again. Who still waits under it is told, and whatever went out.
    @Test(arguments: [true, false], [true, false])
    func anIdentifierThatComesRoundEndsTheConnection(
        isFirstSubscription: Bool, isSecondSubscription: Bool
    ) async throws {
        @Sendable func ask(_ house: House, isSubscription: Bool) async throws -> MQTTError? {
            if isSubscription {
                return try await failure(of: house.subscribe([.test("a")]))
            }
            return try await failure(of: house.publish(.test("a")))
        }
        try await withFakeBroker { broker in
            try await withConnectedHouse(broker) { house, events in
                async let first = ask(house, isSubscription: isFirstSubscription)
                await broker.signalled()
                let others = try [MQTTMessage](
                    repeating: .test("b", qos: .atMostOnce), count: 65_534)
                await house.publishAll(others)
                async let second = ask(house, isSubscription: isSecondSubscription)
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

    private func failure<Value>(of result: Result<Value, MQTTError>) -> MQTTError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension House {
    fileprivate func publishAll(_ messages: [MQTTMessage]) async {
        await withCheckedContinuation { continuation in
            publish(contentsOf: messages) { _ in continuation.resume() }
        }
    }
}
