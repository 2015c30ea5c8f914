import MQTTClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FakeBrokerTests {
    @Test func connectCarriesTheProperties() async throws {
        let (connects, sink) = AsyncStream.makeStream(of: FakeBrokerConnect.self)
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, id: "pinned")
                configuration.cleanStart = false
                configuration.sessionExpiry = .seconds(3_600)
                configuration.receiveMaximum = 77
                configuration.maximumPacketSize = 65_536
                configuration.keepAlive = .seconds(33)
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                var events = owner.events.makeAsyncIterator()
                _ = try await events.connected()
                var iterator = connects.makeAsyncIterator()
                let connect = try #require(await iterator.next())
                #expect(connect.clientID == "pinned")
                #expect(!connect.cleanStart)
                #expect(connect.keepAlive == 33)
                #expect(connect.properties[0x11] == 3_600)
                #expect(connect.properties[0x21] == 77)
                #expect(connect.properties[0x27] == 65_536)
                #expect(connect.properties[0x22] == nil)
            }
        } broker: { broker in
            let peer = try broker.accept()
            sink.yield(try peer.readConnect())
            try peer.send(.connack(.v5))
            _ = peer.readToEnd()
        }
    }
}
