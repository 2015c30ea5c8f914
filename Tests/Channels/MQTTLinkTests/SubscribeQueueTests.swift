import Testing

@testable import MQTTClient
@testable import MQTTLink

@Suite struct SubscribeQueueTests {
    private var queue = SubscribeQueue()

    private mutating func add(_ filters: [String], replaying: Bool = true) {
        queue.add(
            filters.map { FilterRequest(request: request($0), isReplaying: replaying, number: 1) })
    }

    private mutating func next() -> SubscribeQueue.Call? { queue.next { _ in true } }

    private mutating func ended(_ call: SubscribeQueue.Call) -> Bool { queue.ended(call) }

    /// The filters of the next SUBSCRIBE, which is answered at once; `nil` if there is none.
    private mutating func takeNext() -> [String]? {
        guard let call = next() else { return nil }
        #expect(ended(call))
        return call.requests.map(\.filter.rawValue)
    }

    @Test mutating func aSubscribeWaitsForTheAnswerToThePreviousOne() throws {
        add(["a"])
        let first = try #require(next())
        add(["b"])
        #expect(next() == nil)
        #expect(!queue.isIdle)
        #expect(queue.underWay == first)
        #expect(ended(first))
        #expect(takeNext() == ["b"])
        #expect(queue.isIdle)
        #expect(takeNext() == nil)
    }

    @Test mutating func aSubscribeTakesTwoHundredFilters() {
        add((1...450).map { "a/\($0)" })
        #expect(takeNext()?.count == 200)
        #expect(takeNext()?.first == "a/201")
        #expect(takeNext()?.count == 50)
        #expect(takeNext() == nil)
    }

    @Test mutating func aWildcardWithRetainedMessagesGoesAlone() {
        add(["a", "b"])
        add(["+/presence", "c"])
        #expect(takeNext() == ["a", "b"])
        #expect(takeNext() == ["+/presence"])
        #expect(takeNext() == ["c"])
        // Without retained messages it is a filter like any other.
        add(["d", "+/telemetry", "e"], replaying: false)
        #expect(takeNext() == ["d", "+/telemetry", "e"])
    }

    @Test mutating func filtersThatAreNotWantedAnyMoreAreLeftOut() {
        add(["a", "b", "c"])
        let call = queue.next { $0.filter == filter("b") }
        #expect(call?.requests.map(\.filter) == [filter("b")])
        queue.clear()
        add(["a"])
        let nothing = queue.next { _ in false }
        #expect(nothing == nil)
        #expect(queue.isIdle)
    }

    @Test mutating func anAnswerThatComesTwiceOrTooLateEndsNothing() throws {
        add(["a"])
        let first = try #require(next())
        queue.clear()
        #expect(!ended(first))
        add(["a"])
        let second = try #require(next())
        #expect(second != first)
        #expect(!ended(first))
        #expect(ended(second))
        #expect(!ended(second))
    }
}
