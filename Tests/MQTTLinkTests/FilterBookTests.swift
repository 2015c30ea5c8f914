import MQTTClient
import Testing

@testable import MQTTLink

@Suite struct FilterBookTests {
    private var book = FilterBook()

    /// Wants filters on a connection.
    private mutating func add(
        _ filters: String..., replaying: Bool = false, isConnected: Bool = true
    ) -> FilterBook.Plan {
        book.add(filters.map(request), replaying: replaying, isConnected: isConnected)
    }

    /// Wants filters no more.
    private mutating func remove(
        _ filters: String..., isConnected: Bool = true
    ) -> FilterBook.Plan {
        book.remove(filters.map(filter), isConnected: isConnected)
    }

    /// Lets the broker grant filters.
    @discardableResult
    private mutating func grant(_ filters: String...) -> FilterBook.Plan {
        book.answered(filters.map(filter), filters.map { _ in .success })
    }

    /// Lets the broker refuse filters.
    @discardableResult
    private mutating func refuse(_ filters: String...) -> FilterBook.Plan {
        book.answered(filters.map(filter), filters.map { _ in .notAuthorized })
    }

    private func isGranted(_ filters: String...) -> Bool { book.isGranted(filters.map(filter)) }

    private func refusal(of filters: String...) -> MQTTTopicFilter? {
        book.refusal(of: filters.map(filter))?.0
    }

    // MARK: Wanting

    @Test mutating func aFilterIsAskedForOnce() {
        #expect(add("a", "b") == .subscribing("a", "b"))
        #expect(add("a") == .nothing)
        #expect(!book.isSettled)
        #expect(!isGranted("a"))
        grant("a", "b")
        #expect(book.isSettled)
        #expect(isGranted("a", "b"))
        #expect(add("a") == .nothing)
    }

    @Test mutating func whatIsRetainedIsAskedForAgain() {
        _ = add("a")
        #expect(add("a", replaying: true) == .replaying("a"))
        grant("a")
        #expect(!book.isSettled)
        grant("a")
        #expect(book.isSettled)
        #expect(add("a", replaying: true) == .replaying("a"))
        #expect(!book.isSettled)
        #expect(isGranted("a"))
    }

    @Test mutating func withoutAConnectionNothingIsAskedFor() {
        #expect(add("b", "a", isConnected: false) == .nothing)
        #expect(remove("b", isConnected: false) == .nothing)
        #expect(book.connected() == .subscribing("a"))
    }

    @Test mutating func theLastWishEndsTheSubscription() {
        _ = add("a")
        _ = add("a")
        grant("a")
        #expect(remove("a") == .nothing)
        #expect(isGranted("a"))
        #expect(remove("a") == .unsubscribing("a"))
        #expect(!isGranted("a"))
        #expect(remove("a") == .nothing)
    }

    @Test mutating func aFilterThatNobodyWantsAnyMoreIsNotWaitedFor() {
        _ = add("a")
        grant("a")
        _ = add("a", replaying: true)
        #expect(remove("a", "a") == .unsubscribing("a"))
        #expect(book.isSettled)
        grant("a")
        #expect(!isGranted("a"))
    }

    @Test mutating func whatIsWantedAgainIsNotGivenUp() {
        _ = add("a", "b")
        grant("a", "b")
        let plan = remove("a", "b")
        _ = add("a")
        #expect(book.superfluous(plan.unsubscribe) == [filter("b")])
        grant("a")
        #expect(book.superfluous(plan.unsubscribe) == [filter("b")])
    }

    @Test mutating func aFilterWhoseMessagesSomebodyWantsAgainIsAskedForOnceMore() {
        _ = add("a")
        grant("a")
        let plan = book.replay([filter("a"), filter("b")], isConnected: true)
        #expect(plan == .subscribing("a"))
        #expect(book.isRequested(filter("a")))
        grant("a")
        #expect(book.isSettled)
        let nothing = book.replay([filter("a")], isConnected: false)
        #expect(nothing == .nothing)
    }

    @Test mutating func aFilterThatWasAskedForTwiceHasTwoAnswers() {
        _ = add("a", replaying: true)
        _ = add("a", replaying: true)
        grant("a")
        #expect(book.isRequested(filter("a")))
        grant("a")
        #expect(!book.isRequested(filter("a")))
    }

    @Test mutating func aNewConnectionAsksInTheOrderOfTheWishes() {
        _ = add("c", isConnected: false)
        _ = add("+/b", replaying: true, isConnected: false)
        _ = add("a", isConnected: false)
        _ = add("c", isConnected: false)
        let requests = book.connected().subscribe
        #expect(requests.map(\.filter.rawValue) == ["c", "+/b", "a"])
        #expect(requests.map(\.isReplayOfMany) == [false, true, false])
    }

    // MARK: Covering

    @Test mutating func anExactFilterBesideAWildcardIsNotAskedFor() {
        #expect(add("+/state") == .subscribing("+/state"))
        #expect(add("a/state") == .nothing)
        grant("+/state")
        #expect(isGranted("a/state"))
        #expect(add("b/state") == .nothing)
        #expect(remove("b/state") == .nothing)
    }

    @Test mutating func aWildcardTakesThePlaceOfExactFilters() {
        _ = add("a/state", "b/event")
        grant("a/state", "b/event")
        #expect(add("+/state") == .subscribing("+/state"))
        #expect(grant("+/state") == .unsubscribing("a/state"))
        #expect(isGranted("a/state", "b/event", "+/state"))
    }

    @Test mutating func withoutTheWildcardExactFiltersComeBackFirst() {
        _ = add("+/state")
        _ = add("a/state")
        grant("+/state")
        #expect(
            remove("+/state")
                == FilterBook.Plan(
                    subscribe: [FilterRequest(request("a/state"), isReplaying: false)],
                    unsubscribe: [filter("+/state")]))
        #expect(!isGranted("a/state"))
        #expect(grant("a/state") == .nothing)
        #expect(isGranted("a/state"))
    }

    @Test mutating func aReplayOfOneDeviceLeavesOnlyTheWildcard() {
        _ = add("+/state")
        grant("+/state")
        #expect(add("a/state", replaying: true) == .replaying("a/state"))
        #expect(grant("a/state") == .unsubscribing("a/state"))
        #expect(book.superfluous([filter("a/state")]) == [filter("a/state")])
        #expect(isGranted("a/state"))
    }

    // MARK: Refusals

    @Test mutating func aRefusedFilterDoesNotHinderTheOthers() {
        _ = add("a", "b")
        #expect(
            book.answered([filter("a"), filter("b")], [.notAuthorized, .success]) == .nothing)
        #expect(book.isSettled)
        #expect(book.refused == [filter("a"): .notAuthorized])
        #expect(refusal(of: "b") == nil)
        #expect(refusal(of: "b", "a") == filter("a"))
        #expect(isGranted("b"))
    }

    @Test mutating func aRefusalEndsWithTheWishOrTheConnection() {
        _ = add("a", "b")
        refuse("a", "b")
        #expect(remove("a") == .nothing)
        #expect(book.refused == [filter("b"): .notAuthorized])
        book.disconnected()
        #expect(book.refused.isEmpty)
        #expect(book.connected() == .subscribing("b"))
    }

    @Test mutating func aRefusedFilterThatIsAskedForAgainIsOpen() {
        _ = add("a")
        refuse("a")
        #expect(add("a") == .subscribing("a"))
        #expect(refusal(of: "a") == nil)
        grant("a")
        #expect(isGranted("a"))
        #expect(book.refused.isEmpty)
    }

    @Test mutating func aFilterRefusedWhenItWasAskedForAgainIsNotGranted() {
        _ = add("a")
        grant("a")
        _ = add("a", replaying: true)
        refuse("a")
        #expect(!isGranted("a"))
        #expect(refusal(of: "a") == filter("a"))
    }

    @Test mutating func behindARefusedWildcardExactFiltersAreAskedFor() {
        _ = add("+/state")
        _ = add("a/state")
        #expect(refuse("+/state") == .subscribing("a/state"))
        #expect(!book.isSettled)
        grant("a/state")
        #expect(isGranted("a/state"))
        #expect(refusal(of: "a/state") == nil)
        #expect(remove("+/state") == .nothing)
    }

    @Test mutating func behindARefusedWildcardEveryConnectionHearsTheExactFilters() {
        _ = add("+/state", "a/state", isConnected: false)
        #expect(book.connected() == .subscribing("+/state"))
        #expect(refuse("+/state") == .subscribing("a/state"))
        grant("a/state")
        #expect(book.connected() == .subscribing("+/state"))
    }

    @Test mutating func aRefusedExactFilterThatAWildcardCoversIsHeard() {
        _ = add("a/state")
        refuse("a/state")
        _ = add("+/state")
        grant("+/state")
        #expect(refusal(of: "a/state") == nil)
        #expect(isGranted("a/state"))
    }

    // MARK: Connections

    @Test mutating func whatWasNotAnsweredIsAskedForAgain() {
        _ = add("b", "a")
        grant("a")
        book.disconnected()
        #expect(!isGranted("a"))
        #expect(book.connected() == .subscribing("b", "a"))
        #expect(!book.isSettled)
        grant("a", "b")
        #expect(book.isSettled)
        #expect(isGranted("a", "b"))
    }

    @Test mutating func aNewConnectionAsksForNoFilterThatAnotherCovers() {
        _ = add("a/state", "b/event/+", "#", isConnected: false)
        #expect(book.connected() == .subscribing("#"))
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

extension FilterBook.Plan {
    fileprivate static let nothing = FilterBook.Plan()

    fileprivate static func subscribing(_ filters: String...) -> FilterBook.Plan {
        FilterBook.Plan(
            subscribe: filters.map { FilterRequest(request($0), isReplaying: false) })
    }

    fileprivate static func replaying(_ filters: String...) -> FilterBook.Plan {
        FilterBook.Plan(subscribe: filters.map { FilterRequest(request($0), isReplaying: true) })
    }

    fileprivate static func unsubscribing(_ filters: String...) -> FilterBook.Plan {
        FilterBook.Plan(unsubscribe: filters.map(filter))
    }
}
