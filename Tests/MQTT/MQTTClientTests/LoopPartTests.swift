import Testing

@testable import MQTTClient

@Suite struct LoopPartTests {
    @Test func timersComeInOrder() {
        var queue = TimerQueue()
        let timers = (0..<50).map { _ in MQTTTimer {} }
        for (index, timer) in timers.enumerated().shuffled() {
            queue.add(.timer(timer), at: UInt64(index / 5)) { _, _ in true }
        }
        #expect(queue.next == 0)
        var deadlines: [UInt64] = []
        while let (_, deadline) = queue.popDue(at: 4) { deadlines.append(deadline) }
        #expect(deadlines.count == 25)
        #expect(deadlines == deadlines.sorted())
        #expect(queue.next == 5)
    }

    @Test func deadlinesThatNobodyAwaitsDoNotPileUp() {
        var queue = TimerQueue()
        for number in 0..<100_000 {
            queue.add(.reconnects, at: UInt64(number)) { _, deadline in deadline < 10 }
        }
        #expect(queue.count <= 1_024)
        var deadlines: [UInt64] = []
        while let (_, deadline) = queue.popDue(at: 9) { deadlines.append(deadline) }
        #expect(deadlines == Array(0..<10))
    }

    @Test func gateLetsAFewInAndKeepsTheOrder() {
        var gate = ConnectGate<Int>(capacity: 2)
        let entered = (1...4).map { gate.enter($0) }
        #expect(entered == [true, true, false, false])
        let left = (1...4).map { _ in gate.leave() }
        #expect(left == [3, 4, nil, nil])
        let again = gate.enter(5)
        #expect(again)
    }

    /// Those that do not wait let nobody in who does, until there is room for him.
    @Test func gateKeepsItsCapacityForThoseWhoWait() {
        var gate = ConnectGate<Int>(capacity: 2)
        let entered = (1...4).map { gate.enter($0, waiting: false) }
        #expect(entered == [true, true, true, true])
        let fifth = gate.enter(5)
        #expect(!fifth)
        let left = (1...5).map { _ in gate.leave() }
        #expect(left == [nil, nil, 5, nil, nil])
    }

    @Test func inboxLosesNothingThatComesWhileItDrains() {
        let inbox = MosquittoInbox()
        for _ in 0..<2 { inbox.events.append(.unusableTopic) }
        var seen = 0
        inbox.drain { _ in
            seen += 1
            if seen == 1 { inbox.events.append(.unusableTopic) }
        }
        inbox.drain { _ in seen += 1 }
        #expect(seen == 3)
    }

    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_500), 2),
    ])
    func durationsRoundUpToSeconds(duration: Duration, seconds: Int) {
        #expect(Int(duration.wholeSeconds) == seconds)
    }

    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(1), .seconds(1e19),
    ])
    func thereIsNoTooLongADuration(duration: Duration) {
        #expect(duration.wholeSeconds == .max)
        #expect(duration.wholeNanoseconds == UInt64(Int64.max))
        #expect((.zero - duration).wholeSeconds == 0)
        #expect((.zero - duration).wholeNanoseconds == 0)
    }
}
