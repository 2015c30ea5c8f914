import Testing

@testable import MQTTClient

/// Silence and missing acknowledgements, without a socket or a clock. A second is 10 here.
@Suite struct LivenessValueTests {
    private var liveness: Liveness

    /// A ping is due after 100, and an acknowledgement after 60.
    init() {
        liveness = Liveness(acknowledgementTimeout: .nanoseconds(60))
        liveness.connected(keepAlive: .nanoseconds(100), at: 0)
    }

    @Test func nothingIsWatchedBeforeTheConnection() {
        let liveness = Liveness(acknowledgementTimeout: .nanoseconds(60))
        #expect(liveness.verdict(at: .max, isReading: true) == .alive)
        #expect(liveness.nextCheck(after: 0, isReading: true) == nil)
    }

    @Test mutating func anUnansweredPingIsSilence() {
        #expect(liveness.verdict(at: 99, isReading: true) == .alive)
        #expect(liveness.verdict(at: 100, isReading: true) == .pingDue)
        liveness.pinged(at: 100, isWritten: true, isReading: true)
        #expect(liveness.verdict(at: 149, isReading: true) == .alive)
        #expect(liveness.verdict(at: 150, isReading: true) == .silent)
        liveness.didRead(at: 149)
        #expect(liveness.verdict(at: 150, isReading: true) == .alive)
    }

    /// As long as what is queued before it is written, the peer reads.
    @Test mutating func anOwedPingWaitsForTheQueueBeforeIt() {
        liveness.pinged(at: 100, isWritten: false, isReading: true)
        #expect(liveness.isPingOwed)
        liveness.wroteQueued(at: 140)
        #expect(liveness.verdict(at: 150, isReading: true) == .alive)
        liveness.pinged(at: 160, isWritten: true, isReading: true)
        #expect(!liveness.isPingOwed)
        liveness.wroteQueued(at: 180)
        #expect(liveness.verdict(at: 190, isReading: true) == .silent)
    }

    @Test mutating func theFirstRequestStartsTheTimeOfAll() {
        let first = liveness.sentRequest(at: 10)
        let second = liveness.sentRequest(at: 20)
        #expect(first && !second)
        #expect(liveness.nextCheck(after: 20, isReading: true) == 70)
        #expect(liveness.verdict(at: 69, isReading: true) == .alive)
        #expect(liveness.verdict(at: 70, isReading: true) == .unacknowledged)
        liveness.acknowledged(at: 30, isAnythingDue: true)
        #expect(liveness.verdict(at: 89, isReading: true) == .alive)
        liveness.acknowledged(at: 40, isAnythingDue: false)
        #expect(liveness.nextCheck(after: 40, isReading: true) == 100)
    }

    @Test mutating func roomInTheSocketIsASignOfLife() {
        _ = liveness.sentRequest(at: 10)
        liveness.madeRoom(at: 60, isReading: false, isAnythingDue: true)
        #expect(liveness.verdict(at: 70, isReading: true) == .unacknowledged)
        liveness.madeRoom(at: 60, isReading: true, isAnythingDue: true)
        #expect(liveness.verdict(at: 70, isReading: true) == .alive)
    }

    /// What the broker answers cannot be seen then.
    @Test mutating func aPauseIsNotTakenForSilence() {
        _ = liveness.sentRequest(at: 10)
        liveness.paused(at: 20)
        #expect(liveness.verdict(at: 90, isReading: false) == .alive)
        #expect(liveness.nextCheck(after: 20, isReading: false) == 100)
        liveness.pinged(at: 100, isWritten: true, isReading: false)
        #expect(liveness.verdict(at: 199, isReading: false) == .alive)
        liveness.resumed(at: 190, isAnythingDue: true)
        #expect(liveness.nextCheck(after: 190, isReading: true) == 200)
        #expect(liveness.verdict(at: 249, isReading: true) == .pingDue)
        #expect(liveness.verdict(at: 250, isReading: true) == .unacknowledged)
    }

    @Test func withoutALimitNothingIsOverdue() {
        var liveness = Liveness(acknowledgementTimeout: nil)
        let isDue = liveness.sentRequest(at: 0)
        #expect(!isDue)
        #expect(liveness.verdict(at: .max, isReading: true) == .alive)
    }
}
