import TestSupport
import Testing

@testable import homeport

@Suite struct RestartPausesTests {
    @Test func pausesAreExponentialWithJitterAboveASecond() {
        var numbers = SeededGenerator(seed: 3)
        let views = (0..<50).map { _ in
            var pauses = RestartPauses()
            return (0..<5).map { _ in
                pauses.next(after: .seconds(2), using: &numbers) - .seconds(1)
            }
        }
        #expect(views.joined().allSatisfy { $0 >= .zero && $0 <= .seconds(60) })
        #expect(BackoffShape(pauses: views) == .exponentialWithJitter)
    }

    @Test func aViewThatLastedBeginsAnew() {
        var numbers = SeededGenerator(seed: 3)
        var pauses = RestartPauses()
        for _ in 0..<6 { _ = pauses.next(after: .seconds(29), using: &numbers) }
        let longest = (0..<100).map { _ in pauses.next(after: .seconds(30), using: &numbers) }.max()
        #expect(longest.map { $0 <= .seconds(5) } == true)
    }
}
