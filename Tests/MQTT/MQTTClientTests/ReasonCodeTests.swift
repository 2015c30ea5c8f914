import TestSupport
import Testing

@testable import MQTTClient

/// What a client reports and does for every reason code that ends a connection.
@Suite(.timeLimit(.minutes(1)))
struct ReasonCodeTests {
    @Test(arguments: UInt8(0x80)...0xA2)
    func refusal(code: UInt8) async throws {
        try await withFakeBroker { broker in
            let (error, delay) = try await firstFailure(of: .test(broker.port))
            let reason = MQTTReasonCode(rawValue: code)
            let isFinal = MQTTReasonTable.cause(ofRefusal: reason) == .final
            #expect(error.code == .connectionRefused)
            #expect(error.reasonCode == reason)
            #expect(error.reasonString == "because")
            #expect(error.serverReference == "other.example")
            #expect(error.message.contains("because"))
            #expect(error.message.contains("use other.example"))
            #expect((delay == nil) == isFinal)
            #expect(error.isRetriable == !isFinal)
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            let properties =
                [0x1F] + FakeBrokerPacket.string("because")
                + [0x1C] + FakeBrokerPacket.string("other.example")
            try peer.send(.connack(.v5, code: code, properties: properties))
            _ = peer.readToEnd()
        }
    }

    @Test(arguments: UInt8(0x80)...0xA2)
    func disconnect(code: UInt8) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (error, delay) = try await events.disconnected()
                let reason = MQTTReasonCode(rawValue: code)
                let isFinal = MQTTReasonTable.cause(ofDisconnect: reason) == .final
                #expect(error.code == (code == 0x8E ? .sessionTakenOver : .serverDisconnected))
                #expect(error.reasonCode == reason)
                #expect((delay == nil) == isFinal)
                #expect(error.isRetriable == !isFinal)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.disconnect(code))
            _ = peer.readToEnd()
        }
    }

    /// A broker that knows only MQTT 3.1.1 answers in its own format.
    @Test func refusalOfTheVersionByAnOldBroker() async throws {
        try await withFakeBroker { broker in
            let (error, delay) = try await firstFailure(of: .test(broker.port))
            #expect(error.code == .connectionRefused)
            #expect(error.reasonCode == .unsupportedProtocolVersion)
            #expect(delay == nil)
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(.v3_1_1, code: 1))
            _ = peer.readToEnd()
        }
    }
}
