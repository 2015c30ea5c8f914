import Testing

@testable import MQTTClient

/// The one deadline of a connection, whose entries in the timer queue cannot be moved.
@Suite struct ConnectionDeadlineTests {
    @Test func onlyAnEarlierDeadlineNeedsAnotherEntry() {
        var deadline = ConnectionDeadline()
        let first = deadline.set(to: 10)
        let later = deadline.set(to: 20)
        let earlier = deadline.set(to: 5)
        #expect(first && !later && earlier)
        #expect(deadline.awaits(5) && !deadline.awaits(10) && !deadline.awaits(20))
    }

    @Test func anEntryThatComesTooEarlyIsScheduledAgain() {
        var deadline = ConnectionDeadline()
        _ = deadline.set(to: 10)
        _ = deadline.set(to: 20)
        #expect(deadline.fired(10, at: 11) == .moved(20))
        let isNeeded = deadline.set(to: 20)
        #expect(isNeeded)
        #expect(deadline.fired(20, at: 20) == .reached)
        #expect(deadline.fired(20, at: 21) == .stale)
    }

    @Test func anOlderEntryMeansNothing() {
        var deadline = ConnectionDeadline()
        _ = deadline.set(to: 20)
        _ = deadline.set(to: 10)
        #expect(deadline.fired(20, at: 30) == .stale)
        #expect(deadline.fired(10, at: 30) == .reached)
    }

    @Test func aClearedDeadlineIsNotReached() {
        var deadline = ConnectionDeadline()
        _ = deadline.set(to: 10)
        deadline.clear()
        #expect(deadline.fired(10, at: 10) == .stale)
    }
}
