import Testing

@testable import MQTTClient

/// The budget of a loop; times are nanoseconds.
@Suite struct ReconnectQueueTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func aBurstGoesAtOnceAndTheOthersAtTheRate() {
        var queue = queue(perSecond: 10, burst: 3)
        let start = 100 * Self.second
        let entered = (0..<6).map { queue.enter($0, at: start) }
        #expect(entered == [true, true, true, false, false, false])
        #expect(leaving(&queue, from: start) == [100, 200, 300])
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func aBudgetIsNeverNothing(perSecond: Double) {
        let given = MQTTReconnectBudget(perSecond: perSecond, burst: 0)
        var changed = MQTTReconnectBudget()
        changed.perSecond = perSecond
        changed.burst = -7
        for budget in [given, changed] {
            #expect(budget.perSecond == 0.001 && budget.burst == 1)
            #expect(budget.interval == 1_000 * Self.second)
        }
    }

    @Test func thoseWhoWaitAreNotOvertaken() {
        var queue = queue(perSecond: 10, burst: 1)
        let first = queue.enter(1, at: 0)
        let second = queue.enter(2, at: 0)
        #expect(first && !second)
        // There would be room for it by now.
        let third = queue.enter(3, at: Self.second)
        #expect(!third)
        let order = (0..<2).map { _ in queue.release(at: 2 * Self.second) { _ in true } }
        #expect(order == [2, nil])
    }

    @Test func quietTimeFillsTheBucketAndNoMore() {
        var queue = queue(perSecond: 10, burst: 3)
        for member in 0..<3 { _ = queue.enter(member, at: 0) }
        let later = (0..<5).map { queue.enter($0, at: 1_000 * Self.second) }
        #expect(later == [true, true, true, false, false])
    }

    @Test func whoHasGoneCostsNothing() {
        var queue = queue(perSecond: 1, burst: 1)
        for member in 0..<5 { _ = queue.enter(member, at: 0) }
        let next = queue.release(at: Self.second) { $0 > 2 }
        #expect(next == 3)
        let none = queue.release(at: 2 * Self.second) { _ in false }
        #expect(none == nil)
        #expect(queue.isEmpty && queue.nextRelease == nil)
    }

    @Test func nobodyIsTakenOutBeforeThereIsRoom() {
        var queue = queue(perSecond: 1, burst: 1)
        for member in 0..<2 { _ = queue.enter(member, at: 0) }
        let early = queue.release(at: Self.second - 1) { _ in true }
        #expect(early == nil)
        let due = queue.release(at: Self.second) { _ in true }
        #expect(due == 1)
    }

    /// The figures of the documentation: two processes with five thousand clients each.
    @Test func tenThousandClientsComeBackWithinTheirFigures() throws {
        var queue = ReconnectQueue<Int>(budget: MQTTReconnectBudget())
        let immediate = (0..<5_000).count { queue.enter($0, at: 0) }
        let times = [UInt64](repeating: 0, count: immediate) + leaving(&queue, from: 0)
        #expect(times.count == 5_000)
        #expect(try #require(times.last) <= 50_000)
        var busiest = 0
        var first = 0
        for (last, time) in times.enumerated() {
            while times[first] + 1_000 <= time { first += 1 }
            busiest = max(busiest, last - first + 1)
        }
        #expect(2 * busiest <= 334)
    }

    @Test func unlimitedIsUnlimited() {
        var queue = ReconnectQueue<Int>(budget: .unlimited)
        let all = (0..<100_000).allSatisfy { queue.enter($0, at: 5) }
        #expect(all)
    }

    @Test(arguments: [(0.0, 0), (-1.0, -1), (0.000_1, .max), (Double.infinity, .max)])
    func senselessBudgetsStillLetOneGo(perSecond: Double, burst: Int) {
        var queue = queue(perSecond: perSecond, burst: burst)
        let first = queue.enter(1, at: .max / 8)
        #expect(first)
    }

    private func queue(perSecond: Double, burst: Int) -> ReconnectQueue<Int> {
        ReconnectQueue(budget: MQTTReconnectBudget(perSecond: perSecond, burst: burst))
    }

    /// The times, in milliseconds after `start`, at which those who wait may go.
    private func leaving(_ queue: inout ReconnectQueue<Int>, from start: UInt64) -> [UInt64] {
        var times: [UInt64] = []
        while let next = queue.nextRelease {
            let member = queue.release(at: next) { _ in true }
            #expect(member != nil, "the time announced is too early")
            times.append((next - start) / 1_000_000)
        }
        return times
    }
}
