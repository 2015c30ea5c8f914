import TestSupport
import Testing

@testable import MQTTClient

/// Numbers that stand for topics.
@Suite(.timeLimit(.minutes(1)))
struct TopicAliasTests {
    // MARK: The value

    @Test func numbersAreGivenInTurnAndTakenFromTheOldest() throws {
        var aliases = TopicAliases(maximum: 2)
        let (a, b, c) = (try MQTTTopic("a"), try MQTTTopic("b"), try MQTTTopic("c"))
        #expect(aliases.use(a) == .init(number: 1, isKnown: false))
        #expect(aliases.use(b) == .init(number: 2, isKnown: false))
        #expect(aliases.use(a) == .init(number: 1, isKnown: true))
        #expect(aliases.use(c) == .init(number: 1, isKnown: false))
        #expect(aliases.use(b) == .init(number: 2, isKnown: true))
        #expect(aliases.use(a) == .init(number: 2, isKnown: false))
        #expect(aliases.use(c) == .init(number: 1, isKnown: true))
    }

    @Test func whatDidNotReachTheBrokerIsNotKnown() throws {
        let aliases = TopicAliases(maximum: 1)
        for _ in 0..<2 {
            #expect(aliases.alias(for: try MQTTTopic("a")) == .init(number: 1, isKnown: false))
        }
    }

    @Test func withoutNumbersThereAreNone() throws {
        #expect(TopicAliases().alias(for: try MQTTTopic("a")) == nil)
    }

    /// Beside a list of who has which number, for any sequence of topics.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func nobodyElsesNumberIsKnown(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let maximum = UInt16.random(in: 1...6, using: &generator)
        let topics = try (0..<9).map { try MQTTTopic("topic/\($0)") }
        var aliases = TopicAliases(maximum: maximum)
        var atBroker: [UInt16: MQTTTopic] = [:]
        for _ in 0..<500 {
            let topic = try #require(topics.randomElement(using: &generator))
            let used = aliases.use(topic)
            let alias = try #require(used)
            #expect((1...maximum).contains(alias.number))
            #expect(alias.isKnown == (atBroker[alias.number] == topic))
            #expect(alias.isKnown || !atBroker.values.contains(topic))
            atBroker[alias.number] = topic
        }
    }

    // MARK: On the wire

    /// A topic and what stands for it.
    private struct Written: Equatable, CustomStringConvertible {
        var topic: String
        var alias: UInt32?
        var description: String { "\(topic) \(alias.map(String.init) ?? "-")" }

        init(_ topic: String, _ alias: UInt32?) {
            self.topic = topic
            self.alias = alias
        }
    }

    @Test(arguments: [
        (UInt16(0), UInt16(2), MQTTProtocolVersion.v5), (2, 0, .v5), (2, 2, .v3_1_1),
    ])
    func theTopicIsWrittenWhereAliasesAreNotWanted(
        mine: UInt16, brokers: UInt16, version: MQTTProtocolVersion
    ) async throws {
        let written = try await written(["a", "a"], mine: mine, brokers: brokers, version)
        #expect(written == [Written("a", nil), Written("a", nil)])
    }

    @Test(arguments: [(UInt16(9), UInt16(2)), (2, 9)])
    func theSmallerMaximumCounts(mine: UInt16, brokers: UInt16) async throws {
        let written = try await written(["a", "b", "c", "b", "c"], mine: mine, brokers: brokers)
        #expect(
            written == [
                Written("a", 1), Written("b", 2), Written("c", 1), Written("", 2), Written("", 1),
            ])
    }

    /// The packet with the topic alone takes what the broker allows, so there is no room for its alias.
    @Test func aMessageThatFillsItsPacketGoesWithoutAnAlias() async throws {
        let written = try await written(
            ["a", "b", "a"], mine: 2, brokers: 2, limits: [.number(0x27, 128)]
        ) { $0 == "a" ? 128 - 2 - 3 - 1 : 0 }
        #expect(written == [Written("a", nil), Written("b", 1), Written("a", nil)])
    }

    @Test func aNewConnectionKnowsNoAlias() async throws {
        let message = try MQTTMessage.test("a", qos: .atMostOnce)
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sendTopicAliasMaximum = 1
            } body: { owner, events in
                try await owner.with { $0.publish(message) }
                _ = try await events.disconnected()
                _ = try await events.connected()
                try await owner.with { $0.publish(message) }
                var iterator = packets.makeAsyncIterator()
                for _ in 0..<2 {
                    let packet = try #require(await iterator.next())
                    #expect(packet.topic == "a")
                    #expect(try packet.properties() == [.number(0x23, 1)])
                }
            }
        } broker: { broker in
            for _ in 0..<2 {
                let peer = try broker.acceptConnected(
                    properties: [FakeBrokerProperty.number(0x22, 1)].bytes)
                sink.yield(try peer.read(.publish))
                peer.cut()
            }
        }
    }

    @Test(arguments: MQTTQoS.allCases)
    func aRealBrokerPutsTheTopicsBack(qos: MQTTQoS) async throws {
        try await withBroker { broker in
            try await withClient(broker.port) {
                $0.sendTopicAliasMaximum = 2
            } _: { client in
                let subscription = try await client.subscribe(to: [.test("a/#", qos: .exactlyOnce)])
                let topics = ["a/1", "a/2", "a/2", "a/3", "a/2", "a/1", "a/1"]
                let messages = try topics.map { try MQTTMessage.test($0, $0, qos: qos) }
                #expect(try await client.publish(contentsOf: messages).allSucceeded)
                var iterator = subscription.makeAsyncIterator()
                for topic in topics {
                    let message = try #require(try await iterator.next())
                    #expect(message.topic.rawValue == topic)
                    #expect(message.payload == Array(topic.utf8))
                }
            }
        }
    }

    /// What a broker reads that is sent messages with these topics, one after the other.
    private func written(
        _ topics: [String], mine: UInt16, brokers: UInt16, _ version: MQTTProtocolVersion = .v5,
        limits: [FakeBrokerProperty] = [], payload: (String) -> Int = { _ in 0 }
    ) async throws -> [Written] {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        let messages = try topics.map {
            try MQTTMessage.test($0, String(repeating: "x", count: payload($0)), qos: .atMostOnce)
        }
        var written: [Written] = []
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sendTopicAliasMaximum = mine
                $0.version = version
            } body: { owner, _ in
                try await owner.with { connection in
                    for message in messages { connection.publish(message) }
                }
                for await packet in packets.prefix(topics.count) {
                    let properties = version == .v5 ? try packet.properties() : []
                    written.append(Written(packet.topic, properties.topicAlias))
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(
                properties: (limits + [.number(0x22, UInt32(brokers))]).bytes)
            for _ in topics { sink.yield(try peer.read(.publish)) }
            _ = peer.readToEnd()
        }
        return written
    }
}

extension TopicAliases {
    /// Publishes under the topic.
    fileprivate mutating func use(_ topic: MQTTTopic) -> Alias? {
        let alias = alias(for: topic)
        if alias?.isKnown == false { introduced(topic) }
        return alias
    }
}

extension [FakeBrokerProperty] {
    fileprivate var topicAlias: UInt32? {
        guard case .number(let alias) = first(where: { $0.identifier == 0x23 })?.value else {
            return nil
        }
        return alias
    }
}
