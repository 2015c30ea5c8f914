import Testing

@testable import MQTTClient

/// Overlapping filters of which none that matches has an identifier.
extension SubscriptionRouterTests {
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
}
