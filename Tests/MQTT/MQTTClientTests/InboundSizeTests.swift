import TestSupport
import Testing

@testable import MQTTClient

/// Maximum Packet Size is announced, and holds also where the broker does not keep to it.
@Suite(.timeLimit(.minutes(1)))
struct InboundSizeTests {
    @Test func aBrokerThatBreaksTheLimitLosesTheConnection() async throws {
        let version = MQTTProtocolVersion.v5
        var message = try MQTTMessage.test(
            "a", String(repeating: "x", count: 500), qos: .atMostOnce)
        let size = MQTTPacketSize.publish(message, version: version)
        message.payload.append(0)
        let payload = message.payload
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = version
                $0.maximumPacketSize = UInt32(size)
            } body: { owner, events in
                let largest = try await events.message()
                #expect(largest.payload.count == 500)
                let (error, delay) = try await events.disconnected()
                #expect(error.code == .protocolViolation)
                #expect(error.message.contains("maximumPacketSize"))
                #expect(error.message.contains(" on a,"))
                #expect(delay != nil)
                #expect(await owner.receivedMessages == 1)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.publish(version.fake, topic: "a", payload: payload.dropLast()))
            try peer.send(.publish(version.fake, topic: "a", payload: payload))
            _ = peer.readToEnd()
        }
    }

    @Test func over311AMessageThatIsTooLargeIsSkipped() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = .v3_1_1
                $0.maximumPacketSize = 100
            } body: { owner, events in
                guard case .skipped(let skipped) = await events.next(isolation: #isolation) else {
                    throw TestSupportError("it was not skipped")
                }
                #expect(skipped.topic.rawValue == "big")
                #expect(skipped.size > 500 && skipped.limit == 100)
                #expect(try await events.message().topic.rawValue == "a")
                #expect(await owner.receivedMessages == 1)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(
                .publish(.v3_1_1, topic: "big", payload: [UInt8](repeating: 7, count: 500)))
            try peer.send(.publish(.v3_1_1, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    @Test func largeMessagesBelowTheLimitArrive() async throws {
        let payload = [UInt8](repeating: 7, count: 3 << 20)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.maximumPacketSize = 4 << 20
            } body: { _, events in
                for _ in 0..<3 {
                    let message = try await events.message()
                    #expect(message.payload.count == payload.count)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<3 {
                let packet = FakeBrokerPacket.publish(.v5, topic: "a", payload: payload)
                for start in stride(from: 0, to: packet.bytes.count, by: 100_000) {
                    try peer.send(bytes: Array(packet.bytes.dropFirst(start).prefix(100_000)))
                }
            }
            _ = peer.readToEnd()
        }
    }
}
