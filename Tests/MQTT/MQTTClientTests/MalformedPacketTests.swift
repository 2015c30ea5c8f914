import MQTTClient
import TestSupport
import Testing

/// Malformed packets do no harm: the client continues or reconnects. In processes of their own, because the
/// tests check that these survive.
///
/// On MQTT 5 only packets are sent that the wrapped library is known to survive, see docs/mqtt-traps.md.
@Suite(.timeLimit(.minutes(2)))
struct MalformedPacketTests {
    @Test func malformedPacketsOfVersion3BehindConnackAreSurvived() async throws {
        await #expect(processExitsWith: .success) {
            for packet in MalformedPacket.version3 {
                await Self.survive(packet.bytes, .v3_1_1, named: packet.name)
            }
        }
    }

    @Test func malformedPacketsOfVersion3InsteadOfConnackAreSurvived() async throws {
        await #expect(processExitsWith: .success) {
            for packet in MalformedPacket.version3 {
                await Self.survive(
                    packet.bytes, .v3_1_1, insteadOfConnack: true, named: packet.name)
            }
        }
    }

    @Test func packetsThatOnlyClientsSendAreSurvivedOnVersion5() async throws {
        await #expect(processExitsWith: .success) {
            let packets: [[UInt8]] = [
                [0x10, 0x00], [0x82, 0x02, 0x00, 0x01], [0xA2, 0x02, 0x00, 0x01], [0xC0, 0x00],
                [0x00, 0x00], [0x30, 0x80, 0x80, 0x80, 0x80, 0x01], [0x36, 0x02, 0x00, 0x00],
            ]
            for bytes in packets { await Self.survive(bytes, .v5, named: "\(bytes)") }
        }
    }

    /// A PUBLISH at QoS 3, and one whose topic is longer than the packet.
    @Test(arguments: [
        [0x36, 0x05, 0x00, 0x01, 0x61, 0x00, 0x01], [0x30, 0x03, 0x00, 0x09, 0x61] as [UInt8],
    ])
    func malformedPacketsEndTheConnection(bytes: [UInt8]) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .test(broker.port, version: .v3_1_1))
                var events = owner.events.makeAsyncIterator()
                _ = try await events.connected()
                let (error, delay) = try await events.disconnected()
                #expect(error.code == .protocolViolation)
                #expect(delay != nil)
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(bytes: bytes)
            _ = peer.readToEnd()
            broker.signal()
        }
    }

    @Test func randomBytesAreSurvivedOnVersion3() async throws {
        await #expect(processExitsWith: .success) {
            var generator = SeededGenerator(seed: 20)
            for number in 0..<300 {
                let count = Int.random(in: 1...40, using: &generator)
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                await Self.survive(bytes, .v3_1_1, isWhole: false, named: "no. \(number)")
            }
        }
    }

    /// Sends bytes, and a message after them. If the client does not receive it, because it has disconnected or
    /// waits for more, the connection is cut, and the client must reconnect and receive it then.
    private static func survive(
        _ bytes: [UInt8], _ version: MQTTProtocolVersion, insteadOfConnack: Bool = false,
        isWhole: Bool = true, named name: String
    ) async {
        do {
            try await goThrough(bytes, version, insteadOfConnack, isWhole)
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    private static func goThrough(
        _ bytes: [UInt8], _ version: MQTTProtocolVersion, _ insteadOfConnack: Bool, _ isWhole: Bool
    ) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, version: version)
                configuration.reconnect = MQTTReconnectPolicy(initial: .microseconds(100))
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                for await event in owner.events {
                    switch event {
                    case .message(let message) where message.topic.rawValue == "alive": return
                    case .disconnected(let error, _) where error.code == .connectionRefused:
                        // What came was a CONNACK after all, with an error.
                        return
                    case .disconnected(let error, let delay) where delay == nil:
                        throw TestSupportError("it ended for good: \(error)")
                    case .connected, .message, .skipped, .disconnected, .closed: break
                    }
                }
                throw TestSupportError("the events ended")
            }
        } broker: { broker in
            let first = try broker.accept()
            _ = try first.readConnect()
            if !insteadOfConnack { try first.send(.connack(first.version)) }
            let alive = FakeBrokerPacket.publish(first.version, topic: "alive")
            do {
                try first.send(bytes: bytes)
                if insteadOfConnack { try first.send(.connack(first.version)) }
                if isWhole { try first.send(alive) } else { first.cut() }
            } catch {}
            try broker.serve { next in
                try next.acceptConnect()
                try next.send(alive)
                _ = next.readToEnd()
            }
        }
    }
}
