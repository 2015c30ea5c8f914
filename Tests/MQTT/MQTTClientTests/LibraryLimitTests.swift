import CMosquitto
import TestSupport
import Testing

@testable import MQTTClient

/// What libmosquitto 2.0.11 does not let through, pinned: a test that fails here means that the library
/// has changed, and that Properties.md must change too.
@Suite(.timeLimit(.minutes(1)))
struct LibraryLimitTests {
    @Test func propertiesOfADisconnectAreLost() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (error, _) = try await events.disconnected()
                #expect(error.reasonCode == .serverMoved)
                #expect(error.reasonString == nil)
                #expect(error.serverReference == nil)
            }
        } broker: { broker in
            try Self.disconnectWithProperties(broker)
        }
    }

    /// What the library hands to its callback, from which nobody could read anything else.
    @Test func theCallbackOfADisconnectGetsNoProperties() async throws {
        try await withFakeBroker { broker in
            let port = Int32(broker.port)
            let heard = try await onThread { BareClient.disconnect(byBrokerAt: port) }
            #expect(heard == BareClient.Disconnect(code: 0x9D, hasProperties: false))
        } broker: { broker in
            try Self.disconnectWithProperties(broker)
        }
    }

    private static func disconnectWithProperties(_ broker: FakeBroker) throws {
        let peer = try broker.acceptConnected()
        let properties: [FakeBrokerProperty] = [.text(0x1F, "moved"), .text(0x1C, "other")]
        try peer.send(
            FakeBrokerPacket(
                header: 0xE0,
                body: [0x9D] + FakeBrokerPacket.variableLength(properties.bytes.count)
                    + properties.bytes))
        _ = peer.readToEnd()
    }

    /// MQTT 5 takes it for "normal disconnection" (section 3.14.2.1).
    @Test func anEmptyDisconnectIsAProtocolViolation() async throws {
        let error = try await errorAfter { peer in
            try peer.send(FakeBrokerPacket(header: 0xE0, body: []))
        }
        #expect(error.code == .protocolViolation)
    }

    /// MQTT 5 allows one identifier per matching subscription (section 3.3.2.3.8). That is why a client
    /// never gives identifiers to two filters that a topic can match.
    @Test(arguments: [[UInt32(1), 2], [1, 1]])
    func twoSubscriptionIdentifiersEndTheConnection(identifiers: [UInt32]) async throws {
        let error = try await errorAfter { peer in
            let properties = identifiers.map { FakeBrokerProperty.number(0x0B, $0) }
            try peer.send(.publish(.v5, topic: "a", properties: properties.bytes))
        }
        #expect(error.code == .protocolViolation)
        #expect(error.isRetriable)
    }

    /// No Topic Alias Maximum is announced, so no broker may do this.
    @Test func anAliasInsteadOfATopicEndsTheConnection() async throws {
        let error = try await errorAfter { peer in
            let alias = FakeBrokerProperty.number(0x23, 1)
            try peer.send(.publish(.v5, topic: "a", properties: alias.bytes))
            try peer.send(.publish(.v5, topic: "", properties: alias.bytes))
        }
        #expect(error.code == .protocolViolation)
    }

    @Test func anAliasBesideATopicIsIgnored() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let message = try await events.message()
                #expect(message.topic.rawValue == "a")
                #expect(message.properties == .none)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(
                .publish(.v5, topic: "a", properties: FakeBrokerProperty.number(0x23, 1).bytes))
            _ = peer.readToEnd()
        }
    }

    @Test func nobodyAnswersAnAUTH() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.connectProperties.authentication = try MQTTAuthentication(
                    method: "CHALLENGE")
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                var events = owner.events.makeAsyncIterator()
                #expect(try await events.disconnected().error.code == .connectionLost)
                var signals = broker.signals.makeAsyncIterator()
                #expect(await signals.next() != nil)
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            let method = FakeBrokerProperty.text(0x15, "CHALLENGE").bytes
            try peer.send(
                FakeBrokerPacket(
                    header: 0xF0,
                    body: [0x18] + FakeBrokerPacket.variableLength(method.count) + method))
            // The end of the connection is heard behind the packet, so an answer would come before it.
            peer.endOutput()
            guard peer.readToEnd().isEmpty else { throw TestSupportError("somebody answered") }
            broker.signal()
        }
    }

    @Test func theDuplicateFlagIsNotTold() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let message = try await events.message()
                #expect(!message.isDuplicate)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            var packet = FakeBrokerPacket.publish(.v5, topic: "a", qos: 1, identifier: 1)
            packet.header |= 8
            try peer.send(packet)
            _ = peer.readToEnd()
        }
    }

    @Test func codesOfAnUNSUBACKAreNotTold() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let codes = try await owner.unsubscribe([MQTTTopicFilter("a")]).get()
                #expect(codes == [])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packet = try peer.read(.unsubscribe)
            try peer.send(.unsuback(.v5, packet.identifier, codes: [0x87]))
            _ = peer.readToEnd()
        }
    }

    @Test func wordsOfAPUBRECAreLost() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let answer = try await client.publishForAcknowledgement(
                    .test("a", qos: .exactlyOnce))
                #expect(answer == MQTTAcknowledgement(reasonCodes: [.notAuthorized]))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let properties = FakeBrokerProperty.text(0x1F, "why").bytes
            let identifier = try peer.read(.publish).publishIdentifier
            try peer.send(
                FakeBrokerPacket(
                    header: 0x50,
                    body: FakeBrokerPacket.short(identifier) + [0x87]
                        + FakeBrokerPacket.variableLength(properties.count) + properties))
            _ = peer.readToEnd()
        }
    }

    /// A client with a configured id accepts no other.
    @Test func anAssignedClientIDBesideOursIsAProtocolViolation() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .test(broker.port))
                var events = owner.events.makeAsyncIterator()
                #expect(try await events.disconnected().error.code == .protocolViolation)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: FakeBrokerProperty.text(0x12, "yours").bytes)
            _ = peer.readToEnd()
        }
    }

    /// Why a connection to a broker that does this ended.
    private func errorAfter(
        _ script: @escaping @Sendable (FakeBrokerPeer) throws -> Void
    ) async throws -> MQTTError {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                while let event = await events.next(isolation: #isolation) {
                    if case .disconnected(let error, _) = event { return error }
                }
                throw TestSupportError("the events ended")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try script(peer)
            _ = peer.readToEnd()
        }
    }
}

/// A client of the library with nothing of ours around it.
private enum BareClient {
    struct Disconnect: Equatable {
        var code: Int32
        var hasProperties: Bool
    }

    /// Runs until the broker disconnects; nil if the library did not report it. Blocks.
    static func disconnect(byBrokerAt port: Int32) -> Disconnect? {
        mosquitto_lib_init()
        var heard: Disconnect?
        withUnsafeMutablePointer(to: &heard) { heard in
            let client = mosquitto_new("bare", true, heard)
            defer { mosquitto_destroy(client) }
            mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
            mosquitto_disconnect_v5_callback_set(client) { _, heard, code, properties in
                heard?.assumingMemoryBound(to: Disconnect?.self).pointee = Disconnect(
                    code: code, hasProperties: properties != nil)
            }
            guard mosquitto_connect(client, "127.0.0.1", port, 60) == 0 else { return }
            while heard.pointee == nil, mosquitto_loop(client, 1_000, 1) == 0 {}
        }
        return heard
    }
}
