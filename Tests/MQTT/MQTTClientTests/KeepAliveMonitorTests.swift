import Basics
import Testing

@testable import MQTTClient

@Suite struct KeepAliveMonitorTests {
    @Test func pingsAfterAnIntervalAndGivesUpAfterHalfAnother() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        #expect(monitor.verdict(at: 99) == .alive)
        #expect(monitor.verdict(at: 100) == .pingDue)
        monitor.pinged(at: 100, isAnswerAwaited: true)
        #expect(monitor.verdict(at: 149) == .alive)
        #expect(monitor.nextCheck(after: 100) == 150)
        #expect(monitor.verdict(at: 150) == .dead)
    }

    @Test func anAnswerKeepsItAlive() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        monitor.pinged(at: 100, isAnswerAwaited: true)
        monitor.didRead(at: 110)
        #expect(monitor.verdict(at: 199) == .alive)
        #expect(monitor.verdict(at: 200) == .pingDue)
    }

    @Test func writingAloneIsNoSignOfLife() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        monitor.didWrite(at: 90)
        #expect(monitor.verdict(at: 100) == .pingDue)
    }

    @Test func readingAloneDoesNotReplaceThePing() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        monitor.didRead(at: 90)
        #expect(monitor.verdict(at: 100) == .pingDue)
    }

    @Test func aPausedSocketPingsWithoutExpectingAnAnswer() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        for round in 1...10 {
            let now = UInt64(round) * 100
            #expect(monitor.verdict(at: now) == .pingDue)
            monitor.pinged(at: now, isAnswerAwaited: false)
        }
        monitor.resumed(at: 1_050)
        #expect(monitor.verdict(at: 1_099) == .alive)
    }

    @Test func aPauseForgetsThePingThatIsUnderWay() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        monitor.pinged(at: 100, isAnswerAwaited: true)
        monitor.paused(at: 110)
        #expect(monitor.verdict(at: 160) == .alive)
        #expect(monitor.verdict(at: 200) == .pingDue)
    }

    @Test func aPeerThatTakesWhatStandsBeforeThePingLives() {
        var monitor = KeepAliveMonitor(interval: 100, now: 0)
        monitor.pinged(at: 100, isAnswerAwaited: true)
        monitor.wroteBeforePing(at: 140)
        #expect(monitor.verdict(at: 189) == .alive)
        #expect(monitor.verdict(at: 190) == .dead)
    }

    @Test func zeroSwitchesItOff() {
        let monitor = KeepAliveMonitor(interval: 0, now: 0)
        #expect(monitor.verdict(at: .max) == .alive)
        #expect(monitor.nextCheck(after: 5) == nil)
    }

    /// Whatever was written and read before, silence is noticed within one and a half intervals.
    @Test(arguments: 1...50)
    func silenceIsNoticedWithinOneAndAHalfIntervals(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let interval: UInt64 = 1_000
        var monitor = KeepAliveMonitor(interval: interval, now: 0)
        let silentFrom = UInt64.random(in: 0...20_000, using: &numbers)
        var lastRead: UInt64 = 0
        var now: UInt64 = 0
        while true {
            let check = try #require(monitor.nextCheck(after: now))
            // Between two checks the client writes on; the peer answers only until it falls silent.
            let other = now + UInt64.random(in: 1...interval / 4, using: &numbers)
            now = min(check, other)
            if other < check { monitor.didWrite(at: now) }
            if now <= silentFrom, now - lastRead > interval / 3 {
                monitor.didRead(at: now)
                lastRead = now
            }
            switch monitor.verdict(at: now) {
            case .alive: continue
            case .pingDue: monitor.pinged(at: now, isAnswerAwaited: true)
            case .dead:
                #expect(now > silentFrom, "the peer was alive")
                #expect(now - lastRead <= interval * 3 / 2)
                return
            }
        }
    }
}
