import Testing

@testable import Fleet

@Suite struct WakeQueueTests {
    @Test func wakesInTheOrderOfTime() {
        var queue = WakeQueue(homes: 3)
        queue.set(.seconds(3), for: 0)
        queue.set(.seconds(1), for: 1)
        queue.set(.seconds(2), for: 2)
        #expect(queue.next == .seconds(1))
        #expect(queue.popDue(by: .seconds(2)) == 1)
        #expect(queue.popDue(by: .seconds(2)) == 2)
        #expect(queue.popDue(by: .seconds(2)) == nil)
        #expect(queue.next == .seconds(3))
    }

    @Test func theLatestWishCounts() {
        var queue = WakeQueue(homes: 1)
        queue.set(.seconds(1), for: 0)
        queue.set(.seconds(5), for: 0)
        #expect(queue.popDue(by: .seconds(4)) == nil)
        #expect(queue.popDue(by: .seconds(5)) == 0)
        #expect(queue.popDue(by: .seconds(9)) == nil)
    }

    @Test func aWithdrawnWakeDoesNotCome() {
        var queue = WakeQueue(homes: 1)
        queue.set(.seconds(1), for: 0)
        queue.set(nil, for: 0)
        #expect(queue.next == nil)
    }

    @Test func aWishThatReturnsWakesOnce() {
        var queue = WakeQueue(homes: 1)
        queue.set(.seconds(1), for: 0)
        queue.set(.seconds(2), for: 0)
        queue.set(.seconds(1), for: 0)
        #expect(queue.popDue(by: .seconds(9)) == 0)
        #expect(queue.popDue(by: .seconds(9)) == nil)
    }

    @Test func manyChangesDoNotPileUp() {
        var queue = WakeQueue(homes: 10)
        for round in 0..<10_000 { queue.set(.milliseconds(10_000 - round), for: round % 10) }
        #expect(queue.pendingEntries < 200)
        var order: [Int] = []
        while let index = queue.popDue(by: .seconds(100)) { order.append(index) }
        #expect(order == Array((0..<10).reversed()))
    }
}
