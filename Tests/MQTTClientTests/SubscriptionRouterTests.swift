import Testing

@testable import MQTTClient

/// Which subscriptions a message goes to, however the broker sends it.
@Suite struct SubscriptionRouterTests {
    typealias Router = SubscriptionRouter<String>

    // MARK: Identifiers

    @Test func theIdentifierAloneFindsTheSubscription() throws {
        var router = try router(["a": ["x/+"], "b": ["y/+"]])
        let identifier = try #require(router.identifier(for: .init("y/+")))
        // The topic says otherwise: nobody looks at it.
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

    /// The broker keeps one subscription for a filter, whoever asks for it.
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

    /// A bridge that heard itself would not stop.
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

    // MARK: Overlapping filters without an identifier

    /// What the tagged filter shows of the broker holds where it does not match.
    @Test func untaggedCopiesAreOneMessageOnceTheBrokerIsKnown() throws {
        var router = try household()
        #expect(try bedroom(&router, copies: 2) == 2)
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2)
        for _ in 0..<20 { #expect(try bedroom(&router, copies: 2) == 1) }
        // Two messages, close together and alike.
        #expect(try bedroom(&router, copies: 4) == 2)
        router.connected(usesIdentifiers: true)
        #expect(try bedroom(&router, copies: 2) == 2)
    }

    @Test func theBrokerIsKnownWhenTheTaggedFilterIsGone() throws {
        var router = try router(["a": ["a/#"], "b": ["a/+"], "c": ["a/b"]])
        try showCopies(&router, "a/b", of: "a/#", 2)
        _ = router.remove(1, [try .test("a/#")])
        let received = try (0..<4).map { _ in try recipients(&router, "a/b", []) }
        #expect(received == [["b", "c"], [], ["b", "c"], []])
    }

    @Test func brokersThatMergeCopiesLoseNothing() throws {
        var router = try household()
        let tag = try #require(router.identifier(for: .init("home/kitchen/state")))
        for _ in 0..<20 {
            #expect(try recipients(&router, "home/kitchen/state", [tag]).count == 3)
            #expect(try bedroom(&router, copies: 1) == 1)
        }
    }

    /// A session is renewed filter by filter: what comes meanwhile has no tag yet.
    @Test func aTaggedFilterThatIsLateIsNoProof() throws {
        var router = try household()
        router.connected(usesIdentifiers: true)
        let tag = try #require(router.identifier(for: .init("home/kitchen/state")))
        #expect(try recipients(&router, "home/kitchen/state", []).count == 3)
        router.granted(try ["home/kitchen/state", "home/+/state", "home/#"].map { try .init($0) })
        // Alike, and of a broker that merges copies another message.
        #expect(try recipients(&router, "home/kitchen/state", [tag]).count == 3)
        // All filters are there now.
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2, retain: true)
        for _ in 0..<4 { #expect(try bedroom(&router, copies: 1) == 1) }
    }

    /// Brokers that send one copy for filters that are asked for alike may send more for others.
    @Test(arguments: [
        MQTTSubscriptionRequest(try .init("$share/g/x/1")),
        MQTTSubscriptionRequest(try .init("x/1"), qos: .atMostOnce),
        MQTTSubscriptionRequest(try .init("x/1"), noLocal: true),
        MQTTSubscriptionRequest(try .init("x/1"), retainAsPublished: true),
    ])
    func filtersAskedForInOtherWaysAreNoProof(request: MQTTSubscriptionRequest) throws {
        var router = try household()
        router.add(4, "other", [try .test("x/+")])
        router.add(5, "odd", [request])
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2, retain: true)
        let tag = try #require(router.identifier(for: .init("x/+")))
        for identifiers in [[tag], [], [tag], []] {
            _ = try recipients(&router, "x/1", identifiers)
        }
        for _ in 0..<4 { #expect(try bedroom(&router, copies: 1) == 1) }
    }

    /// They wait at the broker while filters are unsubscribed and asked for again.
    @Test func messagesWithAnIdentifierOfBeforeAreNoCopies() throws {
        var router = try router(["a": ["x/#"], "b": ["x/+"]])
        let filters = try ["x/#", "x/+"].map { try MQTTTopicFilter($0) }
        let old = try #require(router.identifier(for: filters[0]))
        for (number, filter) in zip([1, 2] as [UInt64], filters) {
            _ = router.remove(number, [MQTTSubscriptionRequest(filter)])
        }
        router.add(3, "a", [MQTTSubscriptionRequest(filters[0])])
        router.add(4, "b", [MQTTSubscriptionRequest(filters[1])])
        router.granted(filters)
        let tag = try #require(router.identifier(for: filters[0]))
        for identifier in [old, old, tag, tag, old] {
            #expect(try recipients(&router, "x/1", [identifier]) == ["a", "b"])
        }
    }

    /// Until the broker has the filters that are new, it sends one copy, for the one that is not.
    @Test(arguments: [["home/+/state"], ["home/+/state", "home/bedroom/+"]])
    func filtersThatAreLateLoseNothing(filters: [String]) throws {
        var router = try router(["kitchen": ["home/kitchen/state"], "all": ["home/#"]])
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 1)
        router.add(3, "late", try filters.map { try .test($0) })
        // Two messages that are alike have as many copies as one will have.
        for _ in 0..<2 {
            try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 1)
        }
        // The answer overtakes what has waited for its turn at QoS 1.
        for isGranted in [false, true] {
            if isGranted { router.granted(try filters.map { try .init($0) }) }
            for _ in 0..<4 {
                #expect(try recipients(&router, "home/bedroom/state", []) == ["all", "late"])
            }
        }
        for _ in 0..<3 {
            try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2)
        }
        let received = try (0..<2).map { _ in try recipients(&router, "home/hall/state", []) }
        #expect(received == [["all", "late"], []])
    }

    /// The copy with the tag may be the last, and no two messages alike.
    @Test func threeCopiesAreKnownFromTheThirdMessageAtTheLatest() throws {
        var router = try router(["a": ["x/#"], "b": ["x/+"], "c": ["x/1"]])
        let tag = try #require(router.identifier(for: .init("x/#")))
        let counts = try ["1", "2", "3", "4"].map { text in
            try [[], [], [tag]].count { try !recipients(&router, "x/1", $0, text).isEmpty }
        }
        #expect(counts == [2, 2, 1, 1])
    }

    @Test func aBrokerThatChangesItsWaysLosesNothingMore() throws {
        var router = try household()
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2)
        let tag = try #require(router.identifier(for: .init("home/kitchen/state")))
        for text in ["on", "off"] {
            #expect(try recipients(&router, "home/kitchen/state", [tag], text).count == 3)
        }
        for _ in 0..<4 { #expect(try bedroom(&router, copies: 1) == 1) }
        try showCopies(&router, "home/kitchen/state", of: "home/kitchen/state", 2)
        for _ in 0..<4 { #expect(try bedroom(&router, copies: 2) == 1) }
    }

    /// Of what it was not chosen for, there is no copy.
    @Test func membersOfAGroupAreNotCounted() throws {
        var router = try router(["a": ["x/#"], "b": ["x/+"], "c": ["y/+"], "d": ["$share/g/y/1"]])
        router.add(5, "e", [try .test("+/1")])
        try showCopies(&router, "x/2", of: "x/#", 1)
        try showCopies(&router, "y/1", of: "y/+", 2)
        _ = router.remove(3, [try .test("y/+")])
        for _ in 0..<4 { #expect(try recipients(&router, "y/1", []) == ["d", "e"]) }
    }

    /// A copy for the group takes the place of one other copy: there may be no more.
    @Test func theTagOfAGroupDoesNotHoldCopiesTogether() throws {
        var router = try router(["shared": ["$share/g/x/1"], "a": ["x/+"], "b": ["x/#"]])
        let tag = try #require(router.identifier(for: .init("$share/g/x/1")))
        #expect(try recipients(&router, "x/1", [tag]).contains("shared"))
        for _ in 0..<3 { #expect(try recipients(&router, "x/1", []) == ["a", "b"]) }
    }

    @Test func membersOfAGroupHaveOnlyWhatWasChosenForThem() throws {
        var router = try router(["plain": ["x/+"], "shared": ["$share/g/x/+"]])
        let tag = try #require(router.identifier(for: .init("x/+")))
        #expect(try recipients(&router, "x/1", [tag]) == ["plain"])
        #expect(try recipients(&router, "x/2", [tag], "other") == ["plain"])
        // Chosen: a copy of its own, which is not another message for the plain subscription.
        #expect(try recipients(&router, "x/2", [], "other") == ["shared"])
    }

    // MARK: Material

    private func router(
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

    /// The first filter has the identifier, and does not match what the two others have in common.
    private func household() throws -> Router {
        try router([
            "kitchen": ["home/kitchen/state"], "states": ["home/+/state"], "all": ["home/#"],
        ])
    }

    /// How often a message of the bedroom, which comes for two untagged filters, is delivered.
    private func bedroom(_ router: inout Router, copies: Int) throws -> Int {
        let received = try (0..<copies).map { _ in
            try recipients(&router, "home/bedroom/state", [])
        }
        #expect(received.allSatisfy { $0.isEmpty || $0 == ["all", "states"] })
        return received.count { !$0.isEmpty }
    }

    /// A message comes once with the tag of a filter, and so often without.
    private func showCopies(
        _ router: inout Router, _ topic: String, of filter: String, _ untagged: Int,
        retain: Bool = false
    ) throws {
        let tag = try #require(router.identifier(for: .init(filter)))
        for identifiers in [[tag]] + Array(repeating: [], count: untagged) {
            _ = try recipients(&router, topic, identifiers, "shown", retain: retain)
        }
    }

    private func recipients(
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
