import Testing

@testable import MQTTClient

@Suite struct AcknowledgementWatchTests {
    @Test func silenceIsCountedFromTheFirstThatIsDue() {
        var watch = AcknowledgementWatch(limit: .nanoseconds(100))
        let first = watch.sent(at: 10)
        let second = watch.sent(at: 60)
        #expect(first && !second)
        #expect(!watch.isOver(at: 109))
        #expect(watch.isOver(at: 110))
    }

    @Test func everyAnswerGivesNewTime() {
        var watch = AcknowledgementWatch(limit: .nanoseconds(100))
        _ = watch.sent(at: 0)
        watch.progressed(at: 90, isAnythingDue: true)
        #expect(!watch.isOver(at: 189))
        #expect(watch.deadline == 190)
    }

    @Test func nothingIsAwaitedWhenNothingIsDue() {
        var watch = AcknowledgementWatch(limit: .nanoseconds(100))
        _ = watch.sent(at: 0)
        watch.progressed(at: 50, isAnythingDue: false)
        #expect(watch.deadline == nil)
        #expect(!watch.isOver(at: .max))
        let begins = watch.sent(at: 1_000)
        #expect(begins)
        #expect(watch.deadline == 1_100)
    }

    @Test func withoutALimitNothingIsWatched() {
        var watch = AcknowledgementWatch(limit: nil)
        let begins = watch.sent(at: 0)
        #expect(!begins)
        #expect(!watch.isOver(at: .max))
    }
}
