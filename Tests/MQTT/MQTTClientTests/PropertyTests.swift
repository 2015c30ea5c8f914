import MQTTClient
import TestSupport
import Testing

/// Every MQTT 5 property that the wrapped library lets through, byte for byte at the other end.
@Suite(.timeLimit(.minutes(1)))
struct PropertyTests {
    static let users: [MQTTProperties.UserProperty] = [
        .init(name: "a", value: "1"), .init(name: "a", value: "2"), .init(name: "ö", value: ""),
        .init(name: "", value: "nameless"),
    ]
    static let userProperties = users.map { FakeBrokerProperty.user($0.name, $0.value) }

    @Test func connect() async throws {
        let (connects, sink) = AsyncStream.makeStream(of: FakeBrokerConnect.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { configuration in
                configuration.sessionExpiry = .seconds(4_000)
                configuration.receiveMaximum = 10
                configuration.maximumPacketSize = 5_000
                configuration.connectProperties = MQTTConnectProperties(
                    userProperties: Self.users, requestsResponseInformation: true,
                    allowsProblemInformation: false,
                    authentication: try? MQTTAuthentication(method: "TOKEN", data: [0, 255]))
            } body: { _, _ in
                let connect = try #require(await connects.first { _ in true })
                // The library puts Receive Maximum behind the rest.
                let expected: [FakeBrokerProperty] =
                    [
                        .number(0x11, 4_000), .number(0x27, 5_000), .number(0x19, 1),
                        .number(0x17, 0), .text(0x15, "TOKEN"), .data(0x16, [0, 255]),
                    ] + Self.userProperties + [.number(0x21, 10)]
                #expect(connect.allProperties == expected)
            }
        } broker: { broker in
            let peer = try broker.accept()
            sink.yield(try peer.readConnect())
            try peer.send(.connack(.v5))
            _ = peer.readToEnd()
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func will(version: MQTTProtocolVersion) async throws {
        let (connects, sink) = AsyncStream.makeStream(of: FakeBrokerConnect.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { configuration in
                configuration.version = version
                configuration.will = try? MQTTWill(Self.message("will"), delay: .seconds(7))
                configuration.credentials = try? MQTTCredentials(username: "u", password: "p")
            } body: { _, _ in
                let connect = try #require(await connects.first { _ in true })
                let will = try #require(connect.will)
                #expect(will.topic == "will")
                #expect(will.payload == [1, 0, 2])
                #expect(will.qos == 1)
                #expect(will.retain)
                let delay: [FakeBrokerProperty] = [.number(0x18, 7)]
                #expect(will.properties == (version == .v5 ? Self.onMessage + delay : []))
                #expect(connect.username == "u")
                #expect(connect.password == Array("p".utf8))
            }
        } broker: { broker in
            let peer = try broker.accept()
            sink.yield(try peer.readConnect())
            try peer.send(.connack(peer.version))
            _ = peer.readToEnd()
        }
    }

    @Test func connack() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .test(broker.port))
                var events = owner.events.makeAsyncIterator()
                var limits = MQTTBrokerLimits()
                limits.receiveMaximum = 12
                limits.maximumPacketSize = 70_000
                limits.maximumQoS = .atLeastOnce
                limits.retainAvailable = false
                limits.wildcardSubscriptionsAvailable = false
                limits.sharedSubscriptionsAvailable = false
                limits.subscriptionIdentifiersAvailable = false
                limits.topicAliasMaximum = 9
                limits.serverKeepAlive = .seconds(77)
                limits.sessionExpiry = .seconds(88)
                limits.responseInformation = "answers/"
                limits.reasonString = "welcome"
                limits.serverReference = "other"
                limits.authenticationMethod = "TOKEN"
                limits.authenticationData = [0, 1]
                limits.userProperties = Self.users
                let info = try await events.connected()
                #expect(info.limits == limits)
                #expect(info.keepAlive == .seconds(77))
            }
        } broker: { broker in
            let properties: [FakeBrokerProperty] = [
                .number(0x21, 12), .number(0x27, 70_000), .number(0x24, 1), .number(0x25, 0),
                .number(0x28, 0), .number(0x2A, 0), .number(0x29, 0), .number(0x22, 9),
                .number(0x13, 77), .number(0x11, 88), .text(0x1A, "answers/"),
                .text(0x1F, "welcome"), .text(0x1C, "other"), .text(0x15, "TOKEN"),
                .data(0x16, [0, 1]),
            ]
            let peer = try broker.acceptConnected(
                properties: (properties + Self.userProperties).bytes)
            _ = peer.readToEnd()
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatAConnackLeavesOut(version: MQTTProtocolVersion) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .test(broker.port, version: version))
                var events = owner.events.makeAsyncIterator()
                var limits = MQTTBrokerLimits()
                limits.subscriptionIdentifiersAvailable = version == .v5
                #expect(try await events.connected().limits == limits)
                #expect(limits.receiveMaximum == 65_535 && limits.maximumQoS == .exactlyOnce)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test(arguments: MQTTQoS.allCases)
    func publishing(qos: MQTTQoS) async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                var message = try Self.message("a/b")
                message.qos = qos
                let copy = message
                try await owner.with { $0.publish(copy) }
                let packet = try #require(await packets.first { _ in true })
                #expect(packet.topic == "a/b")
                #expect(packet.publishQoS == qos.rawValue)
                #expect(packet.header & 1 == 1)
                #expect(try packet.properties() == Self.onMessage)
                #expect(try packet.payload() == [1, 0, 2])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            sink.yield(try peer.read(.publish))
            _ = peer.readToEnd()
        }
    }

    @Test func receiving() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let message = try await events.message()
                var expected = try Self.message("a/b")
                expected.properties.subscriptionIdentifiers = [268_435_455]
                #expect(message == expected)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(
                .publish(
                    .v5, topic: "a/b", payload: [1, 0, 2], qos: 1, identifier: 4, retain: true,
                    properties: (Self.onMessage + [.number(0x0B, 268_435_455)]).bytes))
            _ = peer.readToEnd()
        }
    }

    @Test func subscribing() async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let request = MQTTSubscriptionRequest(
                    try MQTTTopicFilter("a/+"), qos: .exactlyOnce, noLocal: true,
                    retainAsPublished: true, retainHandling: .doNotSend, identifier: 300)
                let subscribed = try await owner.answer {
                    $0.subscribe([request], userProperties: Self.users, acknowledgement: $1)
                }
                var iterator = packets.makeAsyncIterator()
                let packet = try #require(await iterator.next())
                #expect(try packet.properties() == [.number(0x0B, 300)] + Self.userProperties)
                #expect(try packet.filters().map(\.filter) == ["a/+"])
                #expect(try packet.filters().map(\.options) == [0b10_1110])
                #expect(
                    subscribed
                        == MQTTAcknowledgement(
                            reasonCodes: [.grantedQoS1], reasonString: "granted",
                            userProperties: Self.users))

                let unsubscribed = try await owner.answer {
                    $0.unsubscribe(
                        [request.filter], userProperties: Self.users, acknowledgement: $1)
                }
                let unsubscribe = try #require(await iterator.next())
                #expect(try unsubscribe.properties() == Self.userProperties)
                #expect(try unsubscribe.filters().map(\.filter) == ["a/+"])
                #expect(unsubscribed.reasonString == "gone")
                #expect(unsubscribed.userProperties == Self.users)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let subscribe = try peer.read(.subscribe)
            sink.yield(subscribe)
            try peer.send(
                .acknowledgement(
                    0x90, subscribe.identifier,
                    [.text(0x1F, "granted")] + Self.userProperties, [1]))
            let unsubscribe = try peer.read(.unsubscribe)
            sink.yield(unsubscribe)
            try peer.send(
                .acknowledgement(
                    0xB0, unsubscribe.identifier,
                    [.text(0x1F, "gone")] + Self.userProperties, [0x11]))
            _ = peer.readToEnd()
        }
    }

    @Test func subscribingWithAClientAndAgainInANewSession() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(
                    to: [.test("a")], userProperties: Self.users)
                #expect(
                    subscription.acknowledgement
                        == MQTTAcknowledgement(
                            reasonCodes: [.grantedQoS1], reasonString: "granted",
                            userProperties: Self.users))
                #expect(subscription.reasonCodes == [.grantedQoS1])
                await broker.signalled()
            }
        } broker: { broker in
            for _ in 0..<2 {
                let peer = try broker.acceptConnected()
                let subscribe = try peer.read(.subscribe)
                let told = try subscribe.properties().filter { $0.identifier == 0x26 }
                guard told == Self.userProperties else { throw TestSupportError("\(told)") }
                try peer.send(
                    .acknowledgement(
                        0x90, subscribe.identifier,
                        [.text(0x1F, "granted")] + Self.userProperties, [1]))
                peer.cut()
            }
            broker.signal()
        }
    }

    @Test(arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
    func acknowledgements(qos: MQTTQoS) async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let wordy = try await client.publishForAcknowledgement(.test("a", qos: qos))
                #expect(
                    wordy
                        == MQTTAcknowledgement(
                            reasonCodes: [.noMatchingSubscribers], reasonString: "nobody",
                            userProperties: Self.users))
                let plain = try await client.publishForAcknowledgement(.test("a", qos: qos))
                #expect(plain == MQTTAcknowledgement(reasonCodes: [.success]))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let properties = ([.text(0x1F, "nobody")] + Self.userProperties).bytes
            for tail in [
                [0x10] + FakeBrokerPacket.variableLength(properties.count) + properties, [],
            ] {
                let identifier = try peer.read(.publish).publishIdentifier
                if qos == .exactlyOnce {
                    try peer.send(.pubrec(identifier))
                    _ = try peer.read(.pubrel)
                }
                try peer.send(
                    FakeBrokerPacket(
                        header: qos == .exactlyOnce ? 0x70 : 0x40,
                        body: FakeBrokerPacket.short(identifier) + tail))
            }
            _ = peer.readToEnd()
        }
    }

    @Test func aClientTakesLeave() async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let report = await client.disconnect(
                    properties: try MQTTDisconnectProperties(reasonString: "bye"))
                #expect(report.isDisconnectSent)
                let packet = try #require(await packets.first { _ in true })
                #expect(try packet.properties() == [.text(0x1F, "bye")])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            sink.yield(try peer.read(.disconnect))
        }
    }

    @Test(arguments: [true, false])
    func disconnecting(hasSession: Bool) async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = hasSession ? .seconds(60) : nil
            } body: { owner, _ in
                let properties = try MQTTDisconnectProperties(
                    publishesWill: true, sessionExpiry: .seconds(5), reasonString: "bye",
                    userProperties: Self.users)
                try await owner.with { connection in
                    connection.close(drainingFor: .zero, properties: properties) { _ in }
                }
                let packet = try #require(await packets.first { _ in true })
                #expect(packet.body.first == 0x04)
                let expiry: [FakeBrokerProperty] = hasSession ? [.number(0x11, 5)] : []
                #expect(
                    try packet.properties()
                        == expiry + [.text(0x1F, "bye")] + Self.userProperties)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            sink.yield(try peer.read(.disconnect))
        }
    }

    /// Nobody can be answered there.
    @Test(arguments: ["a/+", ""])
    func aResponseTopicWithWildcardsIsLeftOut(topic: String) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let message = try await events.message()
                #expect(message.properties.responseTopic == nil)
                #expect(message.properties.correlationData == [1])
                #expect(throws: MQTTError.self) { try message.response(payload: []) }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let properties: [FakeBrokerProperty] = [.text(0x08, topic), .data(0x09, [1])]
            try peer.send(.publish(.v5, topic: "a", properties: properties.bytes))
            _ = peer.readToEnd()
        }
    }

    // MARK: Material

    static func message(_ topic: String) throws -> MQTTMessage {
        MQTTMessage(
            topic: try MQTTTopic(topic), payload: [1, 0, 2], retain: true,
            properties: MQTTProperties(
                contentType: "text/plain", isUTF8: false,
                responseTopic: try MQTTTopic("answers"), correlationData: [0, 9],
                messageExpirySeconds: 70, userProperties: users))
    }

    static let onMessage: [FakeBrokerProperty] =
        [
            .number(0x01, 0), .number(0x02, 70), .text(0x03, "text/plain"),
            .text(0x08, "answers"), .data(0x09, [0, 9]),
        ] + userProperties
}

extension TestOwner {
    typealias Answer = @Sendable (Result<MQTTAcknowledgement, MQTTError>) -> Void

    /// Asks the broker, and waits for its answer.
    func answer(
        _ ask: @Sendable (MQTTConnection, @escaping Answer) -> Void
    ) async throws -> MQTTAcknowledgement {
        let (answers, sink) = AsyncStream.makeStream(
            of: Result<MQTTAcknowledgement, MQTTError>.self)
        try with { ask($0) { sink.yield($0) } }
        for await answer in answers { return try answer.get() }
        throw TestSupportError("no answer")
    }
}

extension FakeBrokerPacket {
    /// SUBACK, UNSUBACK, PUBACK and the like of MQTT 5 with properties.
    static func acknowledgement(
        _ header: UInt8, _ identifier: Int, _ properties: [FakeBrokerProperty], _ codes: [UInt8]
    ) -> Self {
        Self(
            header: header,
            body: short(identifier) + variableLength(properties.bytes.count) + properties.bytes
                + codes)
    }
}
