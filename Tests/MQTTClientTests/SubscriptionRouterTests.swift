import Testing

@testable import MQTTClient

/// Which subscriptions a message goes to, however the broker sends it.
@Suite struct SubscriptionRouterTests {
    typealias Router = SubscriptionRouter<String>

    // MARK: Identifiers

    @Test func theIdentifierAloneFindsTheSubscription() throws {
        var router = try router(["a": ["x/+"], "b": ["y/+"]])
        let identifier = try #require(router.identifier(for: .init("y/+")))
        // The topic does not match, but the identifier alone decides.
        #expect(try recipients(&router, "x/1", [identifier]) == ["b"])
    }

    @Test func everyFilterHasAnIdentifierOfItsOwn() throws {
        let router = try router(["a": ["x/+", "y"], "b": ["z/#", "x2"]])
        let identifiers = try ["x/+", "y", "z/#", "x2"].map {
            try #require(router.identifier(for: .init($0)))
        }
        #expect(Set(identifiers).count == 4)
    }

    @Test func ofFiltersThatATopicSharesOneHasAnIdentifier() throws {
        let router = try router(["a": ["x/#"], "b": ["x/+"], "c": ["+/1"], "d": ["z"]])
        let tagged = try ["x/#", "x/+", "+/1"].filter {
            router.identifier(for: try .init($0)) != nil
        }
        #expect(tagged == ["x/#"])
        #expect(try router.identifier(for: .init("z")) != nil)
    }

    @Test func withoutSupportThereAreNone() throws {
        var router = try router(["a": ["x"]])
        router.connected(usesIdentifiers: false)
        #expect(try router.identifier(for: .init("x")) == nil)
        #expect(try recipients(&router, "x", []) == ["a"])
    }

    @Test func identifiersBeginWhereTheyAreToldAndNeverAtZero() throws {
        var router = Router(firstIdentifier: 268_435_455)
        router.connected(usesIdentifiers: true)
        router.add(1, "a", [try .test("x")])
        router.add(2, "b", [try .test("y")])
        #expect(try router.identifier(for: .init("x")) == 268_435_455)
        #expect(try router.identifier(for: .init("y")) == 1)
    }

    @Test func identifiersInUseAreNotGivenTwice() throws {
        var router = Router(firstIdentifier: 2, lastIdentifier: 3)
        router.connected(usesIdentifiers: true)
        router.add(1, "a", [try .test("x")])
        router.add(2, "b", [try .test("y")])
        _ = router.remove(2, [try .test("y")])
        router.add(3, "c", [try .test("z")])
        router.add(4, "d", [try .test("y")])
        let identifiers = try ["x", "z", "y"].map { router.identifier(for: try .init($0)) }
        #expect(identifiers == [2, 1, 3])
    }

    // MARK: Retained messages

    /// They come with every SUBSCRIBE: what one brought is not a copy of what another one brings.
    @Test func aLaterSubscriptionGetsTheRetainedMessageToo() throws {
        var router = try router(["a": ["x/1"]])
        let tag = try #require(router.identifier(for: .init("x/1")))
        #expect(try recipients(&router, "x/1", [tag], retain: true) == ["a"])
        router.add(2, "b", [try .test("x/#")])
        #expect(try recipients(&router, "x/1", [], retain: true).contains("b"))
        router.add(3, "c", [try .test("x/1")])
        #expect(try recipients(&router, "x/1", [tag], retain: true).contains("c"))
    }

    /// They may come before the filter with the identifier is granted.
    @Test func ofOneCallTheyComeOnceInAnyOrder() throws {
        var router = try router(["a": ["x/#", "x/+"]])
        router.connected(usesIdentifiers: true)
        let tag = try #require(router.identifier(for: .init("x/#")))
        let received = try [[], [tag]].map { try recipients(&router, "x/1", $0, retain: true) }
        #expect(received == [["a"], []])
    }

    /// A broker that sends each message once sends retained ones for each filter.
    @Test func copiesOfRetainedMessagesSayNothingAboutOthers() throws {
        var router = try router(["a": ["x/#", "x/+", "x/1"]])
        let tag = try #require(router.identifier(for: .init("x/#")))
        let retained = try [[tag], [], []].map {
            try recipients(&router, "x/1", $0, retain: true).count
        }
        #expect(retained == [1, 0, 0])
        for _ in 0..<2 { #expect(try recipients(&router, "x/1", []) == ["a"]) }
    }

    // MARK: Options

    /// The broker keeps one subscription per filter, also for several subscribers.
    @Test func theOptionsOfAFilterSuitAllWhoAskForIt() throws {
        var router = Router()
        let filter = try MQTTTopicFilter("x")
        let first = MQTTSubscriptionRequest(filter, qos: .atLeastOnce, noLocal: true)
        let second = MQTTSubscriptionRequest(
            filter, qos: .atMostOnce, retainAsPublished: true, retainHandling: .doNotSend)
        router.add(1, "a", [first])
        #expect(router.merged(first) == first)
        router.add(2, "b", [second])
        let merged = router.merged(second)
        #expect(merged.qos == .atLeastOnce && !merged.noLocal && merged.retainAsPublished)
        #expect(merged.retainHandling == .doNotSend)
        _ = router.remove(2, [second])
        #expect(router.merged(first) == first)
    }

    @Test func unknownIdentifiersFallBackToTheFilters() throws {
        var router = try router(["a": ["x/+"], "b": ["y"]])
        #expect(try recipients(&router, "x/1", [999_999]) == ["a"])
        #expect(try recipients(&router, "z", [999_999]) == [])
    }

    @Test func endedSubscriptionsAreForgotten() throws {
        var router = try router(["a": ["x/#", "y"], "b": ["x/#"]])
        #expect(router.remove(1, [try .test("x/#"), try .test("y")]) == [try .init("y")])
        let identifier = try #require(router.identifier(for: .init("x/#")))
        #expect(try recipients(&router, "x/1", [identifier]) == ["b"])
        #expect(router.remove(2, [try .test("x/#")]) == [try .init("x/#")])
        #expect(try recipients(&router, "x/1", [identifier]) == [])
        router.add(3, "c", [try .test("x/#")])
        #expect(try router.identifier(for: .init("x/#")) != identifier)
    }

    // MARK: Overlapping filters

    /// How brokers send one message that two filters match; the first has the identifier.
    enum Broker: CaseIterable {
        case oneCopyWithTag, oneCopyWithoutTag, copyPerFilter, copyPerFilterReversed

        func copies(_ tag: UInt32) -> [[UInt32]] {
            switch self {
            case .oneCopyWithTag: [[tag]]
            case .oneCopyWithoutTag: [[]]
            case .copyPerFilter: [[tag], []]
            case .copyPerFilterReversed: [[], [tag]]
            }
        }
    }

    @Test(arguments: Broker.allCases)
    func eachSubscriptionHasEachMessageOnce(broker: Broker) throws {
        var router = try router(["a": ["x/#"], "b": ["x/+"]])
        let tag = try #require(router.identifier(for: .init("x/#")))
        for _ in 0..<40 {
            // Always the same content, as a switch would publish.
            let received = try broker.copies(tag).map { try recipients(&router, "x/1", $0) }
            #expect(received.flatMap(\.self) == ["a", "b"])
        }
    }

    @Test(arguments: Broker.allCases)
    func filtersOfOneSubscriptionMayOverlap(broker: Broker) throws {
        var router = try router(["a": ["x/#", "x/+"]])
        let tag = try #require(router.identifier(for: .init("x/#")))
        for _ in 0..<3 {
            let received = try broker.copies(tag).map { try recipients(&router, "x/1", $0) }
            #expect(received.flatMap(\.self) == ["a"])
        }
    }

    @Test func threeCopiesAreOneMessageOnceThatIsKnown() throws {
        var router = try router(["a": ["x/#"], "b": ["x/+"], "c": ["x/1"]])
        let tag = try #require(router.identifier(for: .init("x/#")))
        for copies in [[[tag], [], []], [[], [], [tag]], [[], [tag], []]] {
            let received = try copies.map { try recipients(&router, "x/1", $0) }
            #expect(received.flatMap(\.self) == ["a", "b", "c"])
        }
    }

    @Test func whatOneFilterLeavesOutIsNotTakenForACopy() throws {
        var router = try router(["a": ["x/#"]])
        router.add(
            2, "b", [MQTTSubscriptionRequest(try MQTTTopicFilter("x/+"), noLocal: true)])
        let tag = try #require(router.identifier(for: .init("x/#")))
        #expect(try recipients(&router, "x/1", [tag]) == ["a", "b"])
        #expect(try recipients(&router, "x/1", []) == ["a", "b"])
    }

    // MARK: Own messages left out

    /// A bridge that received its own messages would loop endlessly.
    @Test func ownMessagesDoNotComeByWayOfAnotherFilter() throws {
        var router = try router(["bridge": ["cmd/#"], "log": ["+/log"]], noLocal: ["cmd/#"])
        let tag = try #require(router.identifier(for: .init("cmd/#")))
        #expect(try recipients(&router, "cmd/log", []) == ["log"])
        #expect(try recipients(&router, "cmd/log", [tag]) == ["bridge", "log"])
        #expect(try recipients(&router, "cmd/log", []) == ["log"])
        // It names a filter of before, which says nothing of these.
        #expect(try recipients(&router, "cmd/log", [999_999]) == ["bridge", "log"])
    }

    /// Somebody else heard them by the same filter and has left; after a lost session the broker is asked anew.
    @Test func ownMessagesAreLeftOutAgainOnceTheBrokerIsAskedAnew() throws {
        var router = try router(["bridge": ["cmd/#"], "log": ["+/log"]], noLocal: ["cmd/#"])
        let plain = try MQTTSubscriptionRequest.test("cmd/#")
        router.add(9, "guest", [plain])
        #expect(router.remove(9, [plain]).isEmpty)
        #expect(try recipients(&router, "cmd/log", []) == ["bridge", "log"])
        let request = try MQTTSubscriptionRequest(.init("cmd/#"), noLocal: true)
        #expect(router.asked(for: request).noLocal)
        #expect(try recipients(&router, "cmd/log", [], "other") == ["log"])
    }

    @Test(arguments: ["x/#", "x/+"])
    func eachHasItsOwnCopyOnceThoseAreKnown(noLocal: String) throws {
        var router = try router(
            ["a": ["x/#"], "b": ["x/+"], "c": ["y/#"], "d": ["y/+"]], noLocal: [noLocal])
        try showCopies(&router, "y/1", of: "y/#", 1)
        let tag = try #require(router.identifier(for: .init("x/#")))
        for copies in [[[tag], []], [[], [tag]], [[tag], []]] {
            let received = try copies.map { try recipients(&router, "x/1", $0) }
            #expect(received == copies.map { $0.isEmpty ? ["b"] : ["a"] })
        }
    }

    // MARK: Retain flags

    @Test(arguments: ["x/#", "x/+"], [false, true])
    func flagsThatDifferDoNotMakeTwoMessages(asPublished: String, isReversed: Bool) throws {
        var router = try router(["x/#": ["x/#"], "x/+": ["x/+"]], asPublished: asPublished)
        let tag = try #require(router.identifier(for: .init("x/#")))
        for _ in 0..<3 {
            let copies = [(filter: "x/#", identifiers: [tag]), (filter: "x/+", identifiers: [])]
            let received = try (isReversed ? copies.reversed() : copies).map {
                try recipients(&router, "x/1", $0.identifiers, retain: $0.filter == asPublished)
            }
            #expect(received == [["x/#", "x/+"], []])
        }
    }

    /// What came with a SUBSCRIBE is no copy of what is published later, where a broker merges copies.
    @Test func storedMessagesTakeNothingFromLiveOnes() throws {
        var router = try router(["x/#": ["x/#"], "x/+": ["x/+"]], asPublished: "x/#")
        let tag = try #require(router.identifier(for: .init("x/#")))
        #expect(try recipients(&router, "x/1", [], retain: true) == ["x/#", "x/+"])
        for retain in [false, true] {
            #expect(try recipients(&router, "x/1", [tag], retain: retain) == ["x/#", "x/+"])
        }
    }

    // MARK: Material

    func router(
        _ subscriptions: KeyValuePairs<String, [String]>, noLocal: Set<String> = [],
        asPublished: String? = nil
    ) throws -> Router {
        var router = Router()
        router.connected(usesIdentifiers: true)
        for (number, (name, filters)) in subscriptions.enumerated() {
            let requests = try filters.map {
                MQTTSubscriptionRequest(
                    try .init($0), noLocal: noLocal.contains($0),
                    retainAsPublished: $0 == asPublished)
            }
            router.add(UInt64(number + 1), name, requests)
            router.granted(requests.map(\.filter))
        }
        return router
    }

    /// A message comes once with the tag of a filter, and so often without.
    func showCopies(
        _ router: inout Router, _ topic: String, of filter: String, _ untagged: Int,
        retain: Bool = false
    ) throws {
        let tag = try #require(router.identifier(for: .init(filter)))
        for identifiers in [[tag]] + Array(repeating: [], count: untagged) {
            _ = try recipients(&router, topic, identifiers, "shown", retain: retain)
        }
    }

    func recipients(
        _ router: inout Router, _ topic: String, _ identifiers: [UInt32], _ text: String = "on",
        retain: Bool = false
    ) throws -> [String] {
        var message = try MQTTMessage.test(topic, text)
        message.retain = retain
        message.properties.subscriptionIdentifiers = identifiers
        var names: [String] = []
        router.forEachRecipient(of: message) { names.append($1) }
        return names.sorted()
    }
}
