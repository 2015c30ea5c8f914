import MQTTClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MQTTClientActorTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func subscriptionDeliversWhatIsPublished(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port, version: version)
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("room/#")])
                    for number in 0..<100 {
                        try await client.publish(.test("room/1", "\(number)"))
                    }
                    var messages = subscription.makeAsyncIterator()
                    for number in 0..<100 {
                        let message = try #require(await messages.next())
                        #expect(String(decoding: message.payload, as: UTF8.self) == "\(number)")
                    }
                    #expect(subscription.droppedMessages == 0)
                }
            }
        }
    }

    /// A subscription ends when its client is released.
    @Test func aSubscriptionEndsWithItsClient() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                func subscription() async throws -> MQTTSubscription {
                    let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                    try await client.connect()
                    return try await client.subscribe(to: [.test("a")])
                }
                let orphan = try await subscription()
                for try await message in orphan { Issue.record("\(message)") }
            }
        }
    }
}
