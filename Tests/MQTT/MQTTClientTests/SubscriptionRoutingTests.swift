import Testing

@testable import MQTTClient

/// Which subscriptions a message goes to, however the broker sends it.
@Suite struct SubscriptionRoutingTests {
    // MARK: Identifiers

    @Test func theIdentifierAloneFindsTheSubscription() throws {
        let set = try set(["x/+"], ["y/+"])
        // The topic does not match, but the identifier alone decides.
        #expect(try recipients(set, "x/1", [try tag(set, "y/+")]) == [2])
    }

    @Test func everyFilterHasAnIdentifierOfItsOwn() throws {
        let set = try set(["x/+", "y"], ["z/#", "x2"])
        #expect(Set(try ["x/+", "y", "z/#", "x2"].map { try tag(set, $0) }).count == 4)
    }

    @Test func ofFiltersThatATopicSharesOneHasAnIdentifier() throws {
        let set = try set(["x/#"], ["x/+"], ["+/1"], ["z"])
        #expect(
            try ["x/#", "x/+", "+/1", "z"].filter { set.tag(try .init($0)) != nil } == ["x/#", "z"])
    }

    @Test func withoutSupportThereAreNone() throws {
        let set = try set(["x"], usesIdentifiers: false)
        #expect(set.tag(try .init("x")) == nil)
        #expect(try recipients(set, "x", []) == [1])
    }

    @Test func identifiersBeginWhereTheyAreToldAndNeverAtZero() throws {
        let set = try set(["x"], ["y"], in: SubscriptionSet(firstNumber: 268_435_455))
        #expect(try tag(set, "x") == 268_435_455)
        #expect(try tag(set, "y") == 1)
    }

    @Test func identifiersInUseAreNotGivenTwice() throws {
        var set = try set(["x"], ["y"], in: SubscriptionSet(firstNumber: 2, lastNumber: 3))
        _ = set.remove(2)
        _ = set.add(3, [try .test("z")], replaying: true)
        _ = set.add(4, [try .test("y")], replaying: true)
        #expect(try ["x", "z", "y"].map { set.tag(try .init($0)) } == [2, 1, 3])
    }

    @Test func unknownIdentifiersFallBackToTheFilters() throws {
        let set = try set(["x/+"], ["y"])
        #expect(try recipients(set, "x/1", [999_999]) == [1])
        #expect(try recipients(set, "z", [999_999]) == [])
    }

    @Test func endedSubscriptionsAreForgotten() throws {
        var set = try set(["x/#", "y"], ["x/#"])
        _ = set.remove(1)
        let number = try tag(set, "x/#")
        #expect(try recipients(set, "x/1", [number]) == [2])
        #expect(try recipients(set, "y", []) == [])
        _ = set.remove(2)
        #expect(try recipients(set, "x/1", [number]) == [])
        _ = set.add(3, [try .test("x/#")], replaying: true)
        #expect(try tag(set, "x/#") != number)
    }

    // MARK: Overlapping filters

    /// A broker that sends one copy for both, with or without the tag, misses no subscription; one that sends
    /// a copy for each delivers twice.
    @Test func eachSubscriptionGetsEachCopyOnce() throws {
        let set = try set(["x/#"], ["x/+", "+/1"])
        for tags in [[try tag(set, "x/#")], []] {
            #expect(try recipients(set, "x/1", tags) == [1, 2])
        }
    }

    /// A bridge that received its own messages would loop endlessly.
    @Test func ownMessagesDoNotComeByWayOfAnotherFilter() throws {
        let set = try set(["cmd/#"], ["+/log"], noLocal: ["cmd/#"])
        #expect(try recipients(set, "cmd/log", []) == [2])
        #expect(try recipients(set, "cmd/log", [try tag(set, "cmd/#")]) == [1, 2])
        // It names a filter of before, which says nothing of these.
        #expect(try recipients(set, "cmd/log", [999_999]) == [1, 2])
    }

    /// Somebody else heard them by the same filter and has left; after a lost session the broker is asked anew.
    @Test func ownMessagesAreLeftOutAgainOnceTheBrokerIsAskedAnew() throws {
        var set = try set(["cmd/#"], ["+/log"], noLocal: ["cmd/#"])
        _ = set.add(9, [try .test("cmd/#")], replaying: true)
        _ = set.remove(9)
        #expect(try recipients(set, "cmd/log", []) == [1, 2])
        try connect(&set)
        #expect(try recipients(set, "cmd/log", []) == [2])
    }

    /// The wider one brings the messages of both, without an identifier: the narrower one had it first.
    @Test func whatIsCoveredNeedsNoIdentifier() throws {
        let set = try set(["cmd/log"], ["cmd/#"], noLocal: ["cmd/log", "cmd/#"])
        #expect(try recipients(set, "cmd/log", []) == [1, 2])
    }

    @Test func membersOfAGroupHaveOnlyWhatWasChosenForThem() throws {
        let set = try set(["x/+"], ["$share/g/x/+"])
        #expect(try recipients(set, "x/1", [try tag(set, "x/+")]) == [1])
        // Chosen: a copy of its own, which is not another message for the plain subscription.
        #expect(try recipients(set, "x/2", []) == [2])
    }

    // MARK: Material

    /// Granted subscriptions, numbered from 1.
    private func set(
        _ subscriptions: [String]..., noLocal: Set<String> = [], usesIdentifiers: Bool = true,
        in empty: SubscriptionSet = SubscriptionSet()
    ) throws -> SubscriptionSet {
        var set = empty
        try connect(&set, usesIdentifiers)
        for (number, filters) in subscriptions.enumerated() {
            let requests = try filters.map {
                MQTTSubscriptionRequest(try .init($0), noLocal: noLocal.contains($0))
            }
            grant(set.add(UInt64(number + 1), requests, replaying: true), in: &set)
        }
        return set
    }

    /// A new session.
    private func connect(
        _ set: inout SubscriptionSet, _ offersIdentifiers: Bool = true
    ) throws {
        let missing = set.connected(
            to: try MQTTBrokerAddress(host: "broker"), isSessionPresent: false,
            offersIdentifiers: offersIdentifiers)
        grant(missing, in: &set)
    }

    private func grant(_ requests: [FilterRequest], in set: inout SubscriptionSet) {
        let further = set.answered(requests, requests.map { _ in .success })
        if !further.isEmpty { grant(further, in: &set) }
    }

    private func tag(_ set: SubscriptionSet, _ filter: String) throws -> UInt32 {
        try #require(set.tag(try .init(filter)))
    }

    private func recipients(
        _ set: SubscriptionSet, _ topic: String, _ identifiers: [UInt32]
    ) throws -> [UInt64] {
        var set = set
        var message = try MQTTMessage.test(topic)
        message.properties.subscriptionIdentifiers = identifiers
        var numbers: [UInt64] = []
        set.forEachRecipient(of: message) { numbers.append($0) }
        return numbers.sorted()
    }
}

extension SubscriptionSet {
    /// The identifier that a filter is sent with; nil for none.
    func tag(_ filter: MQTTTopicFilter) -> UInt32? {
        guard usesIdentifiers else { return nil }
        return routes.first { $1.filter == filter && $1.isTagged }?.key
    }
}
