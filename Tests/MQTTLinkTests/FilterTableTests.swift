import MQTTClient
import Testing

@testable import MQTTLink

@Suite struct FilterTableTests {
    private var table = FilterTable()
    /// The latest request for each filter, which the broker answers.
    private var requests: [MQTTTopicFilter: FilterRequest] = [:]

    /// Adds a subscriber to filters.
    private mutating func add(
        _ filters: String..., replaying: Bool = false, isConnected: Bool = true
    ) -> FilterTable.Plan {
        sent(table.add(filters.map(request), replaying: replaying, isConnected: isConnected))
    }

    /// Removes a subscriber from filters.
    private mutating func remove(
        _ filters: String..., isConnected: Bool = true
    ) -> FilterTable.Plan {
        sent(table.remove(filters.map(filter), isConnected: isConnected))
    }

    private mutating func replay(
        _ filters: String..., isConnected: Bool = true
    ) -> FilterTable.Plan {
        sent(table.replay(filters.map(filter), isConnected: isConnected))
    }

    private mutating func connected() -> FilterTable.Plan { sent(table.connected()) }

    /// Lets the broker grant filters.
    @discardableResult
    private mutating func grant(_ filters: String...) -> FilterTable.Plan {
        answer(filters, .success)
    }

    /// Lets the broker refuse filters.
    @discardableResult
    private mutating func refuse(_ filters: String...) -> FilterTable.Plan {
        answer(filters, .notAuthorized)
    }

    private mutating func answer(_ filters: [String], _ reason: MQTTReasonCode) -> FilterTable.Plan
    {
        let answered = filters.compactMap { requests[filter($0)] }
        #expect(answered.count == filters.count)
        return sent(table.answered(answered, answered.map { _ in reason }))
    }

    /// Records the requests of a plan, and returns it without their numbers.
    private mutating func sent(_ plan: FilterTable.Plan) -> FilterTable.Plan {
        for request in plan.subscribe { requests[request.filter] = request }
        var plan = plan
        plan.subscribe = plan.subscribe.map {
            FilterRequest($0.request, isReplaying: $0.isReplaying, number: 0)
        }
        return plan
    }

    private func isGranted(_ filters: String...) -> Bool { table.isGranted(filters.map(filter)) }

    private func refusal(of filters: String...) -> MQTTTopicFilter? {
        table.refusal(of: filters.map(filter))?.0
    }

    // MARK: Adding and removing

    @Test mutating func aFilterIsRequestedOnce() {
        #expect(add("a", "b") == .subscribing("a", "b"))
        #expect(add("a") == .nothing)
        #expect(!table.isSettled)
        #expect(!isGranted("a"))
        grant("a", "b")
        #expect(table.isSettled)
        #expect(isGranted("a", "b"))
        #expect(add("a") == .nothing)
    }

    @Test mutating func aReplayRequestsAGrantedFilterAgain() {
        _ = add("a")
        #expect(add("a", replaying: true) == .replaying("a"))
        grant("a")
        #expect(!table.isSettled)
        grant("a")
        #expect(table.isSettled)
        #expect(add("a", replaying: true) == .replaying("a"))
        #expect(!table.isSettled)
        #expect(isGranted("a"))
    }

    @Test mutating func withoutAConnectionNothingIsRequested() {
        #expect(add("b", "a", isConnected: false) == .nothing)
        #expect(remove("b", isConnected: false) == .nothing)
        #expect(connected() == .subscribing("a"))
    }

    @Test mutating func theLastSubscriberEndsTheSubscription() {
        _ = add("a")
        _ = add("a")
        grant("a")
        #expect(remove("a") == .nothing)
        #expect(isGranted("a"))
        #expect(remove("a") == .unsubscribing("a"))
        #expect(!isGranted("a"))
        #expect(remove("a") == .nothing)
    }

    @Test mutating func aRemovedFilterIsNotWaitedFor() {
        _ = add("a")
        grant("a")
        _ = add("a", replaying: true)
        #expect(remove("a", "a") == .unsubscribing("a"))
        #expect(table.isSettled)
        grant("a")
        #expect(!isGranted("a"))
    }

    @Test mutating func aFilterThatIsAddedAgainIsNotUnsubscribed() {
        _ = add("a", "b")
        grant("a", "b")
        let plan = remove("a", "b")
        _ = add("a")
        #expect(table.superfluous(plan.unsubscribe) == [filter("b")])
        grant("a")
        #expect(table.superfluous(plan.unsubscribe) == [filter("b")])
    }

    @Test mutating func aReplayOfWantedFiltersRequestsThem() {
        _ = add("a")
        grant("a")
        #expect(replay("a", "b") == .subscribing("a"))
        #expect(table.isRequested(filter("a")))
        grant("a")
        #expect(table.isSettled)
        #expect(replay("a", isConnected: false) == .nothing)
    }

    @Test mutating func aFilterThatWasRequestedTwiceHasTwoAnswers() {
        _ = add("a", replaying: true)
        _ = add("a", replaying: true)
        grant("a")
        #expect(table.isRequested(filter("a")))
        grant("a")
        #expect(!table.isRequested(filter("a")))
    }

    @Test mutating func aLateAnswerDoesNotCountForAFilterThatWasAddedAnew() throws {
        _ = add("a")
        let first = try #require(requests[filter("a")])
        #expect(remove("a") == .unsubscribing("a"))
        #expect(add("a", replaying: true) == .replaying("a"))
        #expect(!table.isCurrent(first))
        // Its retained messages may have come while the filter had no subscriber.
        let plan = table.answered([first], [.success])
        #expect(plan == .nothing)
        #expect(table.isRequested(filter("a")))
        #expect(!isGranted("a"))
        grant("a")
        #expect(isGranted("a"))
        #expect(table.superfluous([filter("a")]).isEmpty)
    }

    @Test mutating func aNewConnectionRequestsFiltersInTheOrderOfTheirAddition() {
        _ = add("c", isConnected: false)
        _ = add("+/b", replaying: true, isConnected: false)
        _ = add("a", isConnected: false)
        _ = add("c", isConnected: false)
        let requests = connected().subscribe
        #expect(requests.map(\.filter.rawValue) == ["c", "+/b", "a"])
        #expect(requests.map(\.isReplayOfMany) == [false, true, false])
    }

    // MARK: Covering

    @Test mutating func anExactFilterThatAWildcardCoversIsNotRequested() {
        #expect(add("+/state") == .subscribing("+/state"))
        #expect(add("a/state") == .nothing)
        grant("+/state")
        #expect(isGranted("a/state"))
        #expect(add("b/state") == .nothing)
        #expect(remove("b/state") == .nothing)
    }

    @Test mutating func aWildcardReplacesExactFilters() {
        _ = add("a/state", "b/event")
        grant("a/state", "b/event")
        #expect(add("+/state") == .subscribing("+/state"))
        #expect(grant("+/state") == .unsubscribing("a/state"))
        #expect(isGranted("a/state", "b/event", "+/state"))
    }

    /// Both begin with as many bytes in front of the wildcard.
    @Test mutating func aRemovedWildcardLeavesAnotherOneInForce() {
        _ = add("a/+", "b/+")
        grant("a/+", "b/+")
        #expect(remove("a/+") == .unsubscribing("a/+"))
        #expect(add("b/state") == .nothing)
        #expect(add("a/state") == .subscribing("a/state"))
    }

    @Test mutating func exactFiltersAreRequestedBeforeTheirWildcardIsUnsubscribed() {
        _ = add("+/state")
        _ = add("a/state")
        grant("+/state")
        #expect(
            remove("+/state")
                == FilterTable.Plan(
                    subscribe: [FilterRequest(request("a/state"), isReplaying: false, number: 0)],
                    unsubscribe: [filter("+/state")]))
        #expect(!isGranted("a/state"))
        #expect(grant("a/state") == .nothing)
        #expect(isGranted("a/state"))
    }

    @Test mutating func afterAReplayOfOneDeviceOnlyTheWildcardRemains() {
        _ = add("+/state")
        grant("+/state")
        #expect(add("a/state", replaying: true) == .replaying("a/state"))
        #expect(grant("a/state") == .unsubscribing("a/state"))
        #expect(table.superfluous([filter("a/state")]) == [filter("a/state")])
        #expect(isGranted("a/state"))
    }

    // MARK: Refusals

    @Test mutating func aRefusedFilterDoesNotAffectTheOthers() {
        _ = add("a", "b")
        refuse("a")
        grant("b")
        #expect(table.isSettled)
        #expect(table.refused == [filter("a"): .notAuthorized])
        #expect(refusal(of: "b") == nil)
        #expect(refusal(of: "b", "a") == filter("a"))
        #expect(isGranted("b"))
    }

    @Test mutating func aRefusalEndsWithTheSubscriberOrTheConnection() {
        _ = add("a", "b")
        refuse("a", "b")
        #expect(remove("a") == .nothing)
        #expect(table.refused == [filter("b"): .notAuthorized])
        table.disconnected()
        #expect(table.refused.isEmpty)
        #expect(connected() == .subscribing("b"))
    }

    @Test mutating func aRefusedFilterThatIsRequestedAgainIsUnanswered() {
        _ = add("a")
        refuse("a")
        #expect(add("a") == .subscribing("a"))
        #expect(refusal(of: "a") == nil)
        grant("a")
        #expect(isGranted("a"))
        #expect(table.refused.isEmpty)
    }

    @Test mutating func aFilterThatIsRefusedTheSecondTimeIsNotGranted() {
        _ = add("a")
        grant("a")
        _ = add("a", replaying: true)
        refuse("a")
        #expect(!isGranted("a"))
        #expect(refusal(of: "a") == filter("a"))
    }

    @Test mutating func afterARefusedWildcardExactFiltersAreRequested() {
        _ = add("+/state")
        _ = add("a/state")
        #expect(refuse("+/state") == .subscribing("a/state"))
        #expect(!table.isSettled)
        grant("a/state")
        #expect(isGranted("a/state"))
        #expect(refusal(of: "a/state") == nil)
        #expect(remove("+/state") == .nothing)
    }

    @Test mutating func everyConnectionTriesARefusedWildcardAgain() {
        _ = add("+/state", "a/state", isConnected: false)
        #expect(connected() == .subscribing("+/state"))
        #expect(refuse("+/state") == .subscribing("a/state"))
        grant("a/state")
        #expect(connected() == .subscribing("+/state"))
    }

    @Test mutating func aRefusedExactFilterThatAWildcardCoversIsGranted() {
        _ = add("a/state")
        refuse("a/state")
        _ = add("+/state")
        grant("+/state")
        #expect(refusal(of: "a/state") == nil)
        #expect(isGranted("a/state"))
    }

    // MARK: Connections

    @Test mutating func unansweredFiltersAreRequestedOnTheNextConnection() {
        _ = add("b", "a")
        grant("a")
        table.disconnected()
        #expect(!isGranted("a"))
        #expect(connected() == .subscribing("b", "a"))
        #expect(!table.isSettled)
        grant("a", "b")
        #expect(table.isSettled)
        #expect(isGranted("a", "b"))
    }

    @Test mutating func aNewConnectionRequestsNoCoveredFilter() {
        _ = add("a/state", "b/event/+", "#", isConnected: false)
        #expect(connected() == .subscribing("#"))
    }
}

@Suite struct CoveringTests {
    /// Two filters, and whether the first one covers the second one.
    static let pairs: [(String, String, Bool)] = [
        ("a/b", "a/b", false),
        ("a/+", "a/+", false),
        ("a/+", "a/b", true),
        ("a/b", "a/+", false),
        ("+/b", "a/b", true),
        ("+/b", "a/c", false),
        ("+/+", "a/+", true),
        ("+/+", "+/b", true),
        ("a/+", "+/b", false),
        ("a/+", "a/b/c", false),
        ("a/+", "a", false),
        ("a/+", "a/", true),
        ("a/+", "a/#", false),
        ("a/#", "a", true),
        ("a/#", "a/b/c", true),
        ("a/#", "a/+/c", true),
        ("a/#", "a/b/#", true),
        ("a/b/#", "a/#", false),
        ("a/#", "b/#", false),
        ("a/#", "b", false),
        ("#", "a/b", true),
        ("#", "+/#", true),
        ("#", "$SYS/a", false),
        ("+/a", "$SYS/a", false),
        ("$SYS/#", "$SYS/a", true),
        ("$share/g/a/+", "a/b", false),
        ("a/+", "$share/g/a/b", false),
    ]

    @Test(arguments: pairs) func coversTable(_ pair: (String, String, Bool)) {
        #expect(filter(pair.0).covers(filter(pair.1)) == pair.2, "\(pair.0) \(pair.1)")
    }
}

extension FilterTable.Plan {
    fileprivate static let nothing = FilterTable.Plan()

    fileprivate static func subscribing(_ filters: String...) -> FilterTable.Plan {
        FilterTable.Plan(
            subscribe: filters.map { FilterRequest(request($0), isReplaying: false, number: 0) })
    }

    fileprivate static func replaying(_ filters: String...) -> FilterTable.Plan {
        FilterTable.Plan(
            subscribe: filters.map { FilterRequest(request($0), isReplaying: true, number: 0) })
    }

    fileprivate static func unsubscribing(_ filters: String...) -> FilterTable.Plan {
        FilterTable.Plan(unsubscribe: filters.map(filter))
    }
}
