import TestSupport
import Testing

@testable import Homeport

@Suite struct RestartPausesTests {
    @Test func pausesAreExponentialWithJitterAboveASecond() {
        var numbers = SeededGenerator(seed: 3)
        let channels = (0..<50).map { _ in
            var pauses = RestartPauses()
            return (0..<5).map { _ in pauses.next(using: &numbers) - .seconds(1) }
        }
        #expect(channels.joined().allSatisfy { $0 >= .zero && $0 <= .seconds(60) })
        #expect(BackoffShape(pauses: channels) == .exponentialWithJitter)
    }

    @Test func aChannelThatConnectedBeginsAnew() {
        var numbers = SeededGenerator(seed: 3)
        var pauses = RestartPauses()
        for _ in 0..<6 { _ = pauses.next(using: &numbers) }
        let longest = (0..<100).map { _ in
            pauses.restart()
            return pauses.next(using: &numbers)
        }.max()
        #expect(longest.map { $0 <= .seconds(5) } == true)
    }
}
