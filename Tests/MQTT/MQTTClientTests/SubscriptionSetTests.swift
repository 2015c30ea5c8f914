import TestSupport
import Testing

@testable import MQTTClient

/// What a set of subscriptions requests from the broker. Which subscriptions get a message: see
/// ``SubscriptionRoutingTests``.
@Suite struct SubscriptionSetTests {
    /// The filters that the set requests, and those that it unsubscribes from after that.
    struct Plan: Equatable {
        var subscribe: [String] = []
        var unsubscribe: [String] = []

        static let nothing = Plan()

        static func subscribing(_ filters: String...) -> Plan { Plan(subscribe: filters) }

        static func unsubscribing(_ filters: String...) -> Plan { Plan(unsubscribe: filters) }
    }

    private var set = SubscriptionSet()
    /// The latest request for each filter, which the broker answers.
    private var requests: [String: FilterRequest] = [:]
    private var lastSubscription: UInt64 = 0

    /// Adds a subscription.
    @discardableResult
    private mutating func add(_ filters: String..., replaying: Bool = false) throws -> Plan {
        lastSubscription += 1
        let requests = try filters.map { try MQTTSubscriptionRequest.test($0) }
        return sent(set.add(lastSubscription, requests, replaying: replaying))
    }

    /// Removes a subscription.
    @discardableResult
    private mutating func remove(_ subscription: UInt64) -> Plan {
        sent(set.remove(subscription).requests)
    }

    private mutating func replay(_ filters: String...) throws -> Plan {
        sent(set.replay(try filters.map { try .init($0) }))
    }

    private mutating func connected(isKept: Bool = false) throws -> Plan {
        sent(
            set.connected(
                to: try MQTTBrokerAddress(host: "broker"), isSessionPresent: isKept,
                offersIdentifiers: false))
    }

    /// Lets the broker grant filters.
    @discardableResult
    private mutating func grant(_ filters: String...) -> Plan { answer(filters, .success) }

    /// Lets the broker refuse filters.
    @discardableResult
    private mutating func refuse(_ filters: String...) -> Plan { answer(filters, .notAuthorized) }

    private mutating func answer(_ filters: [String], _ reason: MQTTReasonCode) -> Plan {
        let answered = filters.compactMap { requests[$0] }
        #expect(answered.count == filters.count)
        return sent(set.answered(answered, answered.map { _ in reason }))
    }

    private mutating func sent(_ sent: [FilterRequest]) -> Plan {
        for request in sent { requests[request.filter.rawValue] = request }
        return Plan(
            subscribe: sent.map(\.filter.rawValue),
            unsubscribe: set.takeSurplus().map(\.rawValue).sorted())
    }

    private func isGranted(_ subscriptions: UInt64...) -> Bool {
        subscriptions.allSatisfy {
            if case .granted = set.standing(of: $0) { true } else { false }
        }
    }

    private func refusal(of subscription: UInt64) -> String? {
        if case .refused(let filter, _) = set.standing(of: subscription) {
            filter.rawValue
        } else {
            nil
        }
    }

    private var refused: [String: MQTTReasonCode] {
        Dictionary(uniqueKeysWithValues: set.refused.map { ($0.rawValue, $1) })
    }

    // MARK: Adding and removing

    @Test mutating func aFilterIsRequestedOnce() throws {
        #expect(try add("a", "b") == .subscribing("a", "b"))
        #expect(try add("a") == .nothing)
        #expect(!set.isSettled)
        #expect(!isGranted(1) && !isGranted(2))
        grant("a", "b")
        #expect(set.isSettled)
        #expect(isGranted(1, 2))
        #expect(try add("a") == .nothing)
        #expect(isGranted(3))
    }

    @Test mutating func aReplayRequestsAGrantedFilterAgain() throws {
        try add("a")
        #expect(try add("a", replaying: true) == .subscribing("a"))
        grant("a")
        #expect(!set.isSettled)
        grant("a")
        #expect(set.isSettled)
        #expect(try add("a", replaying: true) == .subscribing("a"))
        #expect(!set.isSettled)
        #expect(!isGranted(1))
    }

    @Test mutating func theLastSubscriberEndsTheSubscription() throws {
        try add("a")
        try add("a")
        grant("a")
        #expect(remove(1) == .nothing)
        #expect(isGranted(2))
        #expect(remove(2) == .unsubscribing("a"))
        guard case .ended = set.standing(of: 2) else { throw TestSupportError("not ended") }
        #expect(remove(2) == .nothing)
        #expect(set.isEmpty)
    }

    @Test mutating func aRemovedFilterIsNotWaitedFor() throws {
        try add("a")
        #expect(remove(1) == .unsubscribing("a"))
        #expect(set.isSettled)
        #expect(grant("a") == .nothing)
        #expect(set.isSettled)
    }

    @Test mutating func aFilterThatIsAddedAgainIsNotUnsubscribed() throws {
        try add("a", "b")
        grant("a", "b")
        _ = set.remove(1)
        let requests = set.add(2, [try .test("a")], replaying: false)
        #expect(sent(requests) == Plan(subscribe: ["a"], unsubscribe: ["b"]))
    }

    @Test mutating func aReplayOfWantedFiltersRequestsThem() throws {
        try add("a")
        grant("a")
        #expect(try replay("a", "b") == .subscribing("a"))
        #expect(requests["a"]?.isReplaying == true)
        #expect(!isGranted(1))
        grant("a")
        #expect(set.isSettled && isGranted(1))
    }

    @Test mutating func aLateAnswerDoesNotCountForAFilterThatWasAddedAnew() throws {
        try add("a")
        let first = try #require(requests["a"])
        #expect(remove(1) == .unsubscribing("a"))
        #expect(try add("a", replaying: true) == .subscribing("a"))
        #expect(!set.isCurrent(first))
        // Its retained messages may have come while the filter had no subscriber.
        #expect(set.answered([first], [.success]).isEmpty)
        #expect(!set.isSettled)
        #expect(!isGranted(2))
        #expect(grant("a") == .nothing)
        #expect(isGranted(2))
    }

    @Test mutating func aNewConnectionRequestsFiltersInTheOrderOfTheirAddition() throws {
        try add("c")
        try add("+/b", replaying: true)
        try add("a")
        try add("c")
        #expect(try connected() == .subscribing("c", "+/b", "a"))
        #expect(requests["+/b"]?.isReplayOfMany == true)
        #expect(requests["c"]?.isReplaying == false)
    }

    // MARK: Options

    /// The broker keeps one subscription per filter, also for several subscribers.
    @Test mutating func theOptionsOfAFilterSuitAllWhoAskForIt() throws {
        let filter = try MQTTTopicFilter("x")
        let first = MQTTSubscriptionRequest(filter, qos: .atLeastOnce, noLocal: true)
        let second = MQTTSubscriptionRequest(
            filter, qos: .atMostOnce, retainAsPublished: true, retainHandling: .doNotSend)
        #expect(set.add(1, [first], replaying: false).map(\.request) == [first])
        // Other options are requested although the filter is.
        let asked = set.add(2, [second], replaying: false).map(\.request)
        var both = first
        both.noLocal = false
        both.retainAsPublished = true
        var forSecond = both
        forSecond.retainHandling = .doNotSend
        #expect(asked == [forSecond])
        // After a lost session whoever wants the retained messages gets them.
        _ = try connected()
        #expect(requests["x"]?.request == both)
        remove(2)
        _ = try connected()
        #expect(requests["x"]?.request == first)
    }

    /// Otherwise messages would come at a lower QoS, without their flag, or from this client itself.
    @Test(arguments: [
        MQTTSubscriptionRequest(try .init("a/+"), qos: .exactlyOnce),
        MQTTSubscriptionRequest(try .init("a/+"), noLocal: true),
        MQTTSubscriptionRequest(try .init("a/+"), retainAsPublished: true),
        MQTTSubscriptionRequest(try .init("$share/g/a/+")),
    ])
    mutating func whatComesInAnotherWayIsNotCovered(request: MQTTSubscriptionRequest) throws {
        try add("a/#")
        grant("a/#")
        let asked = set.add(2, [request], replaying: false)
        #expect(sent(asked) == .subscribing(request.filter.rawValue))
        #expect(grant(request.filter.rawValue) == .nothing)
        #expect(isGranted(1, 2))
    }

    @Test mutating func whatNoLongerCoversIsMadeGood() throws {
        try add("a/+")
        try add("a/#")
        #expect(grant("a/+", "a/#") == .unsubscribing("a/+"))
        let flagged = MQTTSubscriptionRequest(try .init("a/#"), retainAsPublished: true)
        #expect(sent(set.add(9, [flagged], replaying: false)) == .subscribing("a/#"))
        #expect(grant("a/#") == .subscribing("a/+"))
    }

    // MARK: Covering

    @Test mutating func anExactFilterThatAWildcardCoversIsNotRequested() throws {
        #expect(try add("+/state") == .subscribing("+/state"))
        #expect(try add("a/state") == .nothing)
        grant("+/state")
        #expect(isGranted(2))
        #expect(try add("b/state", "c/+", "c/d") == .subscribing("c/+"))
        #expect(remove(2) == .nothing)
    }

    @Test mutating func aWildcardReplacesExactFilters() throws {
        try add("a/state")
        try add("b/event")
        grant("a/state", "b/event")
        #expect(try add("+/state") == .subscribing("+/state"))
        #expect(grant("+/state") == .unsubscribing("a/state"))
        #expect(isGranted(1, 2, 3))
    }

    @Test mutating func aRemovedWildcardLeavesAnotherOneInForce() throws {
        try add("a/+")
        try add("b/+")
        grant("a/+", "b/+")
        #expect(remove(1) == .unsubscribing("a/+"))
        #expect(try add("b/state") == .nothing)
        #expect(try add("a/state") == .subscribing("a/state"))
    }

    @Test mutating func exactFiltersAreRequestedBeforeTheirWildcardIsUnsubscribed() throws {
        try add("+/state")
        try add("a/state")
        grant("+/state")
        #expect(remove(1) == Plan(subscribe: ["a/state"], unsubscribe: ["+/state"]))
        #expect(!isGranted(2))
        #expect(grant("a/state") == .nothing)
        #expect(isGranted(2))
    }

    @Test mutating func afterAReplayOfOneDeviceOnlyTheWildcardRemains() throws {
        try add("+/state")
        grant("+/state")
        #expect(try add("a/state", replaying: true) == .subscribing("a/state"))
        #expect(grant("a/state") == .unsubscribing("a/state"))
        #expect(isGranted(2))
    }

    // MARK: Refusals

    @Test mutating func aRefusedFilterDoesNotAffectTheOthers() throws {
        try add("a", "b")
        try add("b")
        refuse("a")
        grant("b")
        #expect(set.isSettled)
        #expect(refused == ["a": .notAuthorized])
        #expect(refusal(of: 1) == "a")
        #expect(isGranted(2))
    }

    @Test mutating func aRefusalEndsWithTheSubscriberOrTheConnection() throws {
        try add("a")
        try add("b")
        refuse("a", "b")
        #expect(remove(1) == .nothing)
        #expect(refused == ["b": .notAuthorized])
        #expect(try connected() == .subscribing("b"))
        #expect(refused.isEmpty)
    }

    @Test mutating func aRefusedFilterThatIsRequestedAgainIsUnanswered() throws {
        try add("a")
        refuse("a")
        #expect(try add("a") == .subscribing("a"))
        #expect(refusal(of: 1) == nil)
        grant("a")
        #expect(isGranted(1, 2))
        #expect(refused.isEmpty)
    }

    @Test mutating func aFilterThatIsRefusedTheSecondTimeIsNotGranted() throws {
        try add("a")
        grant("a")
        try add("a", replaying: true)
        refuse("a")
        #expect(refusal(of: 1) == "a")
    }

    @Test mutating func afterARefusedWildcardExactFiltersAreRequested() throws {
        try add("+/state")
        try add("a/state")
        #expect(refuse("+/state") == .subscribing("a/state"))
        #expect(!set.isSettled)
        grant("a/state")
        #expect(isGranted(2))
        #expect(remove(1) == .nothing)
    }

    @Test mutating func everyConnectionTriesARefusedWildcardAgain() throws {
        try add("+/state", "a/state")
        #expect(try connected() == .subscribing("+/state"))
        #expect(refuse("+/state") == .subscribing("a/state"))
        grant("a/state")
        #expect(try connected() == .subscribing("+/state"))
    }

    @Test mutating func aRefusedExactFilterThatAWildcardCoversIsGranted() throws {
        try add("a/state")
        refuse("a/state")
        try add("+/state")
        grant("+/state")
        #expect(refusal(of: 1) == nil)
        #expect(isGranted(1))
    }

    // MARK: Sessions

    @Test mutating func unansweredFiltersAreRequestedOnTheNextConnection() throws {
        try add("b", "a")
        grant("a")
        #expect(try connected() == .subscribing("b", "a"))
        #expect(!set.isSettled && !isGranted(1))
        grant("a", "b")
        #expect(set.isSettled && isGranted(1))
    }

    @Test mutating func aNewConnectionRequestsNoCoveredFilter() throws {
        try add("a/state", "b/event/+", "#")
        #expect(try connected() == .subscribing("#"))
    }

    @Test mutating func aKeptSessionIsAskedForWhatItLacksOnly() throws {
        _ = try connected()
        try add("a", "b")
        grant("a")
        _ = set.remove(1)
        _ = set.add(2, [try .test("a"), try .test("c")], replaying: true)
        // The SUBSCRIBE and the UNSUBSCRIBE may both be lost with the connection.
        #expect(try connected(isKept: true) == Plan(subscribe: ["a", "c"], unsubscribe: ["b"]))
        grant("a", "c")
        #expect(try connected(isKept: true) == .nothing)
        #expect(isGranted(2))
        #expect(try connected(isKept: false) == .subscribing("a", "c"))
    }

    @Test mutating func aCoveredFilterWhoseAnswerWasLostIsGivenUp() throws {
        _ = try connected()
        try add("#")
        grant("#")
        try add("a", replaying: true)
        #expect(try connected(isKept: true) == .unsubscribing("a"))
        #expect(isGranted(1, 2))
    }

    @Test mutating func anUNSUBSCRIBEThatFailsIsRepeatedWhileTheSessionIsKept() throws {
        _ = try connected()
        try add("a", "b")
        grant("a", "b")
        #expect(remove(1) == .unsubscribing("a", "b"))
        try add("b")
        set.notUnsubscribed(try ["a", "b"].map { try .init($0) })
        #expect(try connected(isKept: true) == Plan(subscribe: ["b"], unsubscribe: ["a"]))
        set.notUnsubscribed([try .init("a")])
        #expect(try connected(isKept: false) == .subscribing("b"))
    }

    /// Another broker, and the session of an earlier process.
    @Test mutating func anUnknownSessionHasNothing() throws {
        try add("a")
        grant("a")
        let asked = set.connected(
            to: try MQTTBrokerAddress(host: "other"), isSessionPresent: true,
            offersIdentifiers: true)
        #expect(sent(asked) == .subscribing("a"))
        // It may have unknown filters with identifiers.
        #expect(asked.map(\.request.identifier) == [nil])
    }
}
