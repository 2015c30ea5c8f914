import MQTTClient
import TestSupport
import Testing

/// Clients whose identifier the broker chooses.
@Suite(.timeLimit(.minutes(1)))
struct AssignedClientIDTests {
    @Test func theBrokersIdentifierIsKeptForLaterConnections() async throws {
        let (connects, sink) = AsyncStream.makeStream(of: FakeBrokerConnect.self)
        try await withFakeBroker { broker in
            try await withAnonymousClient(broker.port) { client in
                try await client.connect()
                // Broken off by the broker, and back.
                await broker.signalled()
                await client.abort()
                let info = try await client.connect()
                #expect(info.clientID.rawValue == "given")
                await client.abort()
            }
            sink.finish()
            var asked: [String] = []
            for await connect in connects {
                #expect(connect.cleanStart)
                asked.append(connect.clientID)
            }
            // The second is a reconnect, the third a connection of its own.
            #expect(asked == ["", "given", "given"])
        } broker: { broker in
            for number in 1...3 {
                let peer = try broker.accept()
                sink.yield(try peer.readConnect())
                let properties = number == 1 ? [FakeBrokerProperty.text(0x12, "given")] : []
                try peer.send(.connack(.v5, properties: properties.bytes))
                if number == 2 { broker.signal() }
                if number == 1 { peer.cut() } else { _ = peer.readToEnd() }
            }
        }
    }

    @Test func aBrokerThatAssignsNothingIsLeft() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.clientID = .assignedByBroker
                configuration.reconnect = .never
                let client = MQTTClient(configuration: configuration, eventLoop: loop)
                await #expect {
                    try await client.connect()
                } throws: {
                    ($0 as? MQTTError)?.code == .protocolViolation
                }
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func mosquittoAssignsOne() async throws {
        try await withBroker { broker in
            try await withAnonymousClient(broker.port) { client in
                let info = try await client.connect()
                #expect(!info.clientID.rawValue.isEmpty)
                #expect(info.limits.assignedClientID == info.clientID.rawValue)
                let subscription = try await client.subscribe(to: [.test("a")])
                try await client.publish(.test("a", "1"))
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.payload == Array("1".utf8))
                await client.disconnect()
                let again = try await client.connect()
                #expect(again.clientID == info.clientID)
                #expect(again.limits.assignedClientID == nil)
                await client.disconnect()
            }
        }
    }

    @Test func onlyACleanStartOnVersion5CanAskForOne() throws {
        var configuration = try MQTTConfiguration.test(1)
        configuration.clientID = .assignedByBroker
        try configuration.validate()
        for (version, cleanStart) in [(MQTTProtocolVersion.v5, false), (.v3_1_1, true)] {
            configuration.version = version
            configuration.cleanStart = cleanStart
            let refused = configuration
            #expect {
                try refused.validate()
            } throws: {
                ($0 as? MQTTError)?.code == .invalidArgument
            }
        }
    }
}

/// Runs `body` with a client that has no identifier and is not connected yet.
private func withAnonymousClient(
    _ port: UInt16, _ body: (MQTTClient) async throws -> Void
) async throws {
    try await withLoop { loop in
        var configuration = try MQTTConfiguration.test(port)
        configuration.clientID = .assignedByBroker
        configuration.reconnect.initial = .milliseconds(1)
        configuration.reconnect.spread = .zero
        try await body(MQTTClient(configuration: configuration, eventLoop: loop))
    }
}
