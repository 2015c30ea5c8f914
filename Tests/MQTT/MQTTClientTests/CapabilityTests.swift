import TestSupport
import Testing

@testable import MQTTClient

/// Requests that the broker's CONNACK rules out are refused locally and not sent.
@Suite(.timeLimit(.minutes(1)))
struct CapabilityTests {
    @Test(arguments: MQTTQoS.allCases, MQTTProtocolVersion.allCases)
    func publishesHaveTheSizeThatIsCounted(
        qos: MQTTQoS, version: MQTTProtocolVersion
    ) async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = version
            } body: { owner, _ in
                var iterator = packets.makeAsyncIterator()
                for length in [0, 1, 90, 120, 128, 16_300, 16_400] {
                    for properties in [.none, try PropertyTests.message("a").properties] {
                        let message = MQTTMessage(
                            topic: try MQTTTopic("a/ö"),
                            payload: .init(repeating: 7, count: length),
                            qos: qos, properties: properties)
                        try await owner.with { $0.publish(message) }
                        let packet = try #require(await iterator.next())
                        #expect(
                            packet.bytes.count == MQTTPacketSize.publish(message, version: version))
                    }
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<14 { sink.yield(try peer.read(.publish)) }
            _ = peer.readToEnd()
        }
    }

    @Test func theLargestPacketIsSentAndTheNextLargerIsNot() async throws {
        let message = try MQTTMessage.test("a", String(repeating: "x", count: 90))
        let size = MQTTPacketSize.publish(message, version: .v5)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                var larger = message
                larger.payload.append(0)
                let refused = await owner.publish(larger)
                #expect { try refused.get() } throws: { error in
                    (error as? MQTTError)?.code == .packetTooLarge
                }
                let accepted = try await owner.publish(message).get()
                #expect(accepted == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: FakeBrokerProperty.number(0x27, UInt32(size)).bytes)
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    /// Two fit and a third does not; nor does one that is as long as all.
    @Test func largeSUBSCRIBEsAreCut() async throws {
        let users = PropertyTests.users
        let requests = try [MQTTSubscriptionRequest.test("ä/+"), .test("b")]
        let size = MQTTPacketSize.subscribe(requests, userProperties: users, version: .v5)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let long = try MQTTSubscriptionRequest.test(String(repeating: "x", count: size))
                await #expect {
                    try await owner.answer {
                        $0.subscribe(
                            requests + [long], userProperties: users, acknowledgement: $1)
                    }
                } throws: { error in
                    (error as? MQTTError)?.code == .packetTooLarge
                }
                let more = try requests + [.test("c")]
                for requests in [requests, more] {
                    let granted = try await owner.answer {
                        $0.subscribe(requests, userProperties: users, acknowledgement: $1)
                    }
                    #expect(granted.reasonCodes == requests.map { _ in .grantedQoS1 })
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: FakeBrokerProperty.number(0x27, UInt32(size)).bytes)
            for expected in [["ä/+", "b"], ["ä/+"], ["b", "c"]] {
                let packet = try peer.read(.subscribe)
                guard try packet.filters().map(\.filter) == expected, packet.bytes.count <= size
                else { throw TestSupportError("unexpected: \(packet)") }
                try peer.send(.suback(.v5, packet.identifier, codes: expected.map { _ in 1 }))
            }
            _ = peer.readToEnd()
        }
    }

    /// Filters that were subscribed in several packets may be unsubscribed in one call.
    @Test func largeUNSUBSCRIBEsAreCut() async throws {
        let users = PropertyTests.users
        let filters = try [MQTTTopicFilter("ä/+"), MQTTTopicFilter("b")]
        let size = MQTTPacketSize.unsubscribe(filters, userProperties: users, version: .v5)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let long = try MQTTTopicFilter(String(repeating: "x", count: size))
                await #expect {
                    try await owner.answer {
                        $0.unsubscribe([long], userProperties: users, acknowledgement: $1)
                    }
                } throws: { error in
                    (error as? MQTTError)?.code == .packetTooLarge
                }
                for filters in try [filters, filters + [MQTTTopicFilter("c")]] {
                    _ = try await owner.answer {
                        $0.unsubscribe(filters, userProperties: users, acknowledgement: $1)
                    }
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: FakeBrokerProperty.number(0x27, UInt32(size)).bytes)
            for _ in 0..<3 {
                let packet = try peer.read(.unsubscribe)
                guard packet.bytes.count <= size else { throw TestSupportError("\(packet)") }
                try peer.send(.unsuback(.v5, packet.identifier, codes: [0, 0]))
            }
            _ = peer.readToEnd()
        }
    }

    /// The DISCONNECT: with all properties, without user properties, or with the reason code only.
    @Test(arguments: [(0, 2), (-1, 1), (-27, 0)])
    func disconnectLeavesOutWhatDoesNotFit(difference: Int, count: Int) async throws {
        let properties = try MQTTDisconnectProperties(
            publishesWill: true, reasonString: "going home",
            userProperties: [.init(name: "name", value: "value")])
        let size = MQTTPacketSize.disconnect(properties)
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                try await owner.with {
                    $0.close(drainingFor: .zero, properties: properties) { _ in }
                }
                let packet = try #require(await packets.first { _ in true })
                #expect(packet.bytes.count <= size + difference)
                #expect(packet.body.first == 0x04)
                #expect(try packet.properties().count == count)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: FakeBrokerProperty.number(0x27, UInt32(size + difference)).bytes)
            sink.yield(try peer.read(.disconnect))
            _ = peer.readToEnd()
        }
    }

    @Test func subscriptionsThatTheBrokerCannotServe() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                var identified = try MQTTSubscriptionRequest.test("a")
                identified.identifier = 1
                for request in try [.test("a/+"), .test("#"), .test("$share/g/a"), identified] {
                    // One refusal refuses all: nothing is half subscribed.
                    let result = await owner.subscribe([try .test("plain"), request])
                    #expect { try result.get() } throws: { error in
                        (error as? MQTTError)?.code == .unsupported
                    }
                }
                let result = try await owner.subscribe([.test("a/+")])
                let error = #expect(throws: MQTTError.self) { try result.get() }
                #expect(error?.reasonCode == .wildcardSubscriptionsNotSupported)
                #expect(error?.message.hasSuffix("use a broker that does") == true)
                #expect(try await owner.subscribe([.test("a")]).get() == [.success])
            }
        } broker: { broker in
            // Neither wildcards nor identifiers nor shared subscriptions.
            let peer = try broker.acceptConnected(properties: [0x28, 0, 0x29, 0, 0x2A, 0])
            let packet = try peer.read(.subscribe)
            guard try packet.filters().map(\.filter) == ["a"] else {
                throw TestSupportError("not refused: \(packet)")
            }
            try peer.send(.suback(.v5, packet.identifier, codes: [0]))
            _ = peer.readToEnd()
        }
    }

    @Test func requestsThatMQTTForbids() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let shared = MQTTSubscriptionRequest(
                    try MQTTTopicFilter("$share/g/a"), noLocal: true)
                var zero = try MQTTSubscriptionRequest.test("a")
                zero.identifier = 0
                var large = zero
                large.identifier = 268_435_456
                for request in [shared, zero, large] {
                    let result = await owner.subscribe([request])
                    #expect { try result.get() } throws: { error in
                        (error as? MQTTError)?.code == .invalidArgument
                    }
                }
                try await owner.with { $0.abort() }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            guard peer.readToEnd().isEmpty else { throw TestSupportError("something was sent") }
        }
    }
}
