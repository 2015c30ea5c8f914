import MQTTClient
import TestSupport
import Testing

/// Several subscriptions of one client that a message matches.
@Suite(.timeLimit(.minutes(1)))
struct OverlapTests {
    private static let options = [
        "allow_duplicate_messages false", "allow_duplicate_messages true",
    ]

    /// Nothing is lost where it is not known how the broker sends copies, and no copy comes more than once.
    @Test(arguments: options)
    func realBrokersDeliverToEachSubscription(option: String) async throws {
        try await withClients(option) { client, _ in
            let wide = try await client.subscribe(to: [.test("a/#")])
            // The first one is covered.
            let narrow = try await client.subscribe(to: [.test("a/+"), .test("+/1")])
            let apart = try await client.subscribe(to: [.test("b")])
            let texts = (1...5).map { "\($0)" }
            for text in texts + ["end"] {
                try await client.publish(.test("a/1", text))
                try await client.publish(.test("b", text))
            }
            for subscription in [wide, narrow] {
                let received = try await subscription.texts(until: "end")
                #expect(Set(received) == Set(texts))
                #expect(received.count == texts.count || received.count == 2 * texts.count)
                #expect(received == received.sorted())
            }
            #expect(try await apart.texts(until: "end") == texts)
        }
    }

    /// However the broker sends copies: the widest filter is the only one that it has.
    @Test(arguments: options, [false, true])
    func whatAWiderFilterCoversComesOnce(option: String, isWidestFirst: Bool) async throws {
        try await withClients(option) { client, _ in
            let filters = ["home/kitchen/state", "home/+/state", "home/#"]
            var subscriptions: [MQTTSubscription] = []
            for filter in isWidestFirst ? filters.reversed() : filters {
                subscriptions.append(try await client.subscribe(to: [.test(filter)]))
            }
            let texts = ["on", "on", "off", "on"]
            for text in texts + ["end"] {
                try await client.publish(.test("home/kitchen/state", text))
            }
            for subscription in subscriptions {
                #expect(try await subscription.texts(until: "end") == texts)
            }
        }
    }

    /// It is at the broker before the wider one is not.
    @Test func whatAnEndedFilterCoveredGoesOn() async throws {
        try await withClients { client, other in
            let wide = try await client.subscribe(to: [.test("a/#")])
            let narrow = try await client.subscribe(to: [.test("a/1")])
            async let publishing: Void = {
                for number in 1...200 { try await other.publish(.test("a/1", "\(number)")) }
                try await other.publish(.test("a/1", "end"))
            }()
            try await wide.unsubscribe()
            try await publishing
            let texts = try await narrow.texts(until: "end")
            #expect(Set(texts).count == 200)
        }
    }

    @Test func realBrokersDoNotReturnOwnMessagesByAnotherFilter() async throws {
        try await withClients { client, other in
            let bridge = try await client.subscribe(
                to: [MQTTSubscriptionRequest(.init("cmd/#"), noLocal: true)])
            let log = try await client.subscribe(to: [.test("+/log")])
            try await client.publish(.test("cmd/log", "own"))
            try await other.publish(.test("cmd/log", "other"))
            try await other.publish(.test("cmd/log", "end"))
            #expect(try await bridge.texts(until: "end") == ["other"])
            #expect(try await log.first()?.payload == Array("own".utf8))
        }
    }

    /// One SUBSCRIBE per filter, and among those that a topic shares one with an identifier.
    @Test func noTwoFiltersThatATopicSharesHaveIdentifiers() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { client in
                let subscription = try await client.subscribe(to: [
                    .test("a/#"), .test("a/+"), .test("b"),
                ])
                var messages = subscription.makeAsyncIterator()
                // By its identifier alone: the topic matches nothing.
                #expect(try await messages.next()?.topic.rawValue == "elsewhere")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            var identifiers: [String: UInt32] = [:]
            for _ in 0..<3 {
                let packet = try peer.acceptSubscribe()
                guard let filter = try packet.filters().first?.filter else { continue }
                if case .number(let number) = try packet.properties().first?.value {
                    identifiers[filter] = number
                }
            }
            guard identifiers.keys.sorted() == ["a/#", "b"], let number = identifiers["b"] else {
                throw TestSupportError("wrong identifiers: \(identifiers)")
            }
            try peer.send(
                .publish(
                    .v5, topic: "elsewhere",
                    properties: FakeBrokerProperty.number(0x0B, number).bytes))
            _ = peer.readToEnd()
        }
    }

    @Test(arguments: [false, true])
    func withoutIdentifiersTheFiltersDecide(isVersion5: Bool) async throws {
        try await withFakeBroker { broker in
            try await withClient(broker, version: isVersion5 ? .v5 : .v3_1_1) { client in
                let one = try await client.subscribe(to: [.test("a/+"), .test("c")])
                let other = try await client.subscribe(to: [.test("b/+")])
                var ones = one.makeAsyncIterator()
                #expect(try await ones.next()?.topic.rawValue == "a/1")
                var others = other.makeAsyncIterator()
                #expect(try await others.next()?.topic.rawValue == "b/1")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: isVersion5 ? [0x29, 0] : [])
            // Without identifiers filters share a packet.
            let first = try peer.read(.subscribe)
            try peer.send(.suback(peer.version, first.identifier, codes: [1, 1]))
            _ = try peer.acceptSubscribe()
            try peer.send(.publish(peer.version, topic: "b/1"))
            try peer.send(.publish(peer.version, topic: "a/1"))
            _ = peer.readToEnd()
        }
    }

    @Test func aMemberOfAGroupMaySubscribeForItselfToo() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port)
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let own = try await client.subscribe(to: [.test("a/+")])
                    let shared = try await client.subscribe(to: [.test("$share/g/a/+")])
                    for text in ["1", "2"] { try await client.publish(.test("a/1", text)) }
                    for subscription in [own, shared] {
                        var messages = subscription.makeAsyncIterator()
                        for text in ["1", "2"] {
                            #expect(try await messages.next()?.payload == Array(text.utf8))
                        }
                    }
                }
            }
        }
    }

    // MARK: Material

    /// Two clients of a broker.
    private func withClients(
        _ option: String = "", _ body: (MQTTClient, MQTTClient) async throws -> Void
    ) async throws {
        try await withBroker(option) { broker in
            try await withLoop { loop in
                try await MQTTClient.withConnection(
                    configuration: .test(broker.port), eventLoop: loop
                ) { client in
                    try await MQTTClient.withConnection(
                        configuration: .test(broker.port, id: "other"), eventLoop: loop
                    ) { other in
                        try await body(client, other)
                    }
                }
            }
        }
    }
}

extension MQTTSubscription {
    fileprivate func first() async throws -> MQTTMessage? {
        var messages = makeAsyncIterator()
        return try await messages.next()
    }

    /// The payloads that come before this one.
    fileprivate func texts(until end: String) async throws -> [String] {
        var texts: [String] = []
        for try await message in self {
            let text = String(decoding: message.payload, as: UTF8.self)
            guard text != end else { break }
            texts.append(text)
        }
        return texts
    }
}
