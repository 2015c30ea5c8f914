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

    @Test func zeroSwitchesItOff() {
        let monitor = KeepAliveMonitor(interval: 0, now: 0)
        #expect(monitor.verdict(at: .max) == .alive)
        #expect(monitor.nextCheck(after: 5) == nil)
    }
}
