import MQTTClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RealBrokerTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func messagesComeBackOnBothVersions(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let house = House(on: loop)
                var events = house.events.makeAsyncIterator()
                await house.connect(try .test(broker.port, version: version))
                #expect(try await events.connected().version == version)
                let granted = await house.subscribe([try .test("a/+")])
                #expect(try granted.get() == [.grantedQoS1])
                let reason = await house.publish(try .test("a/b", "hello"))
                #expect(try reason.get() == .success)
                let message = try await events.message()
                #expect(message.topic.rawValue == "a/b")
                #expect(message.payload == Array("hello".utf8))
                let report = await house.close()
                #expect(report.isDisconnectSent && report.undelivered == 0)
            }
        }
    }
}
