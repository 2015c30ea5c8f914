import MQTTClient
import TestSupport
import Testing

/// Against a real mosquitto.
@Suite(.timeLimit(.minutes(1)))
struct RealBrokerTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func messagesComeBackOnBothVersions(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .test(broker.port, version: version))
                #expect(try await events.connected().version == version)
                let granted = await owner.subscribe([
                    try .test("a/+"), try .test("b/#", qos: .atMostOnce), try .test("c"),
                ])
                #expect(try granted.get() == [.grantedQoS1, .success, .grantedQoS1])
                for qos in MQTTQoS.allCases {
                    let reason = await owner.publish(try .test("a/b", "hello", qos: qos))
                    #expect(try reason.get() == .success)
                    let message = try await events.message()
                    #expect(message.topic.rawValue == "a/b")
                    #expect(message.payload == Array("hello".utf8))
                    #expect(message.qos == min(qos, .atLeastOnce))
                }
                let report = await owner.close()
                #expect(report.isDisconnectSent && report.undelivered == 0)
            }
        }
    }

    @Test func propertiesTravel() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                _ = try await owner.subscribe([.test("a")]).get()
                var message = try MQTTMessage.test("a", "{}")
                message.properties = MQTTProperties(
                    contentType: "application/json", isUTF8: true,
                    responseTopic: try MQTTTopic("answers/1"), correlationData: [0, 1, 255],
                    messageExpirySeconds: 60,
                    userProperties: [
                        .init(name: "attempt", value: "1"), .init(name: "attempt", value: ""),
                        .init(name: "traceparent", value: "ö"),
                    ])
                _ = try await owner.publish(message).get()
                let received = try await owner.nextMessage()
                #expect(received.properties.contentType == "application/json")
                #expect(received.properties.isUTF8 == true)
                #expect(received.properties.responseTopic?.rawValue == "answers/1")
                #expect(received.properties.correlationData == [0, 1, 255])
                #expect(received.properties.userProperties == message.properties.userProperties)
                #expect(try #require(received.properties.messageExpirySeconds) <= 60)
            }
        }
    }

    @Test func emptyPropertiesAreLeftOut() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                _ = try await owner.subscribe([.test("a")]).get()
                var message = try MQTTMessage.test("a")
                message.properties = MQTTProperties(contentType: "", correlationData: [])
                _ = try await owner.publish(message).get()
                let received = try await owner.nextMessage()
                #expect(received.payload.isEmpty)
                #expect(received.properties.contentType == nil)
            }
        }
    }

    @Test func nobodySubscribesIsSaid() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                let reason = try await owner.publish(.test("lonely")).get()
                #expect(reason == .noMatchingSubscribers)
            }
        }
    }

    @Test func unsubscribingEndsTheMessages() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                _ = try await owner.subscribe([.test("a"), .test("b")]).get()
                _ = try await owner.unsubscribe([MQTTTopicFilter("a")]).get()
                let reason = try await owner.publish(.test("a")).get()
                #expect(reason == .noMatchingSubscribers)
                _ = try await owner.publish(.test("b")).get()
                let message = try await owner.nextMessage()
                #expect(message.topic.rawValue == "b")
            }
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func willIsPublishedOnAbortOnly(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let watcher = try await connectedHouse(
                    on: loop, .test(broker.port, id: "watcher", version: version))
                _ = try await watcher.subscribe([.test("will/#")]).get()
                for (name, aborts) in [("orderly", false), ("aborted", true)] {
                    var configuration = try MQTTConfiguration.test(
                        broker.port, id: name, version: version)
                    configuration.will = MQTTWill(try .test("will/\(name)", "gone"))
                    let owner = try await connectedHouse(on: loop, configuration)
                    if aborts {
                        try await owner.with { $0.abort() }
                    } else {
                        let report = await owner.close()
                        #expect(report.isDisconnectSent)
                    }
                }
                let will = try await watcher.nextMessage()
                #expect(will.topic.rawValue == "will/aborted")
                #expect(will.payload == Array("gone".utf8))
            }
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func sessionsAreKeptWhereAsked(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(
                    broker.port, id: "sleeper", version: version)
                configuration.cleanStart = false
                configuration.sessionExpiry = .seconds(60)
                let first = TestOwner(on: loop)
                var events = first.events.makeAsyncIterator()
                await first.connect(configuration)
                #expect(try await events.connected().sessionPresent == false)
                _ = try await first.subscribe([.test("inbox")]).get()
                await first.close()

                let sender = try await connectedHouse(on: loop, .test(broker.port, id: "sender"))
                _ = try await sender.publish(.test("inbox", "while away")).get()

                let second = TestOwner(on: loop)
                var later = second.events.makeAsyncIterator()
                await second.connect(configuration)
                #expect(try await later.connected().sessionPresent)
                let message = try await later.message()
                #expect(message.payload == Array("while away".utf8))
            }
        }
    }

    @Test func sharedSubscriptionsDivideTheMessages() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port, id: "shared")
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [
                        .test("$share/group/a/+")
                    ])
                    try await client.publish(.test("a/1", "shared"))
                    var messages = subscription.makeAsyncIterator()
                    let message = try await messages.next()
                    #expect(message?.topic.rawValue == "a/1")
                }
            }
        }
    }

    /// The socket takes such a message in pieces.
    @Test(arguments: [true, false])
    func aLargeMessageComesBack(isBatching: Bool) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                await owner.setBatching(isBatching)
                _ = try await owner.subscribe([.test("a")]).get()
                var message = try MQTTMessage.test("a")
                message.payload = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
                #expect(try await owner.publish(message).get() == .success)
                #expect(try await owner.nextMessage().payload == message.payload)
            }
        }
    }

    @Test(arguments: [true, false])
    func drainingDeliversAThousandMessages(isBatching: Bool) async throws {
        try await withBroker("max_queued_messages 5000", "max_inflight_messages 0") { broker in
            try await withLoop { loop in
                let reader = try await connectedHouse(
                    on: loop, .test(broker.port, id: "reader"))
                await reader.setBatching(isBatching)
                _ = try await reader.subscribe([.test("bulk")]).get()
                let writer = try await connectedHouse(
                    on: loop, .test(broker.port, id: "writer"))
                let message = try MQTTMessage.test("bulk")
                let report = await writer.publishAndClose(
                    Array(repeating: message, count: 1_000))
                #expect(report.delivered == 1_000)
                #expect(report.undelivered == 0 && report.isDisconnectSent)
                for _ in 0..<1_000 { _ = try await reader.nextMessage() }
            }
        }
    }
}

/// An owner that is connected.
func connectedHouse(
    on loop: MQTTEventLoop, _ configuration: MQTTConfiguration
) async throws -> TestOwner {
    let owner = TestOwner(on: loop)
    await owner.connect(configuration)
    try await owner.waitUntilConnected()
    return owner
}
