import Basics
import TestSupport
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(first: .seconds(4), longest: .seconds(60))

    @Test func waitsDoubleUpToTheLongest() {
        let waits = (0..<6).map { backoff.wait(after: $0) }
        #expect(waits == [4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backoff.wait(after: .max) == .seconds(60))
    }

    @Test func theLongestWaitHoldsFromTheBeginning() {
        let backoff = Backoff(first: .seconds(Int64.max), longest: .seconds(2))
        #expect(backoff.wait(after: 0) == .seconds(2))
        let endless = Backoff(first: .seconds(Int64.max), longest: .seconds(Int64.max))
        #expect(endless.wait(after: 100) > .seconds(Int32.max))
    }

    @Test func jitteredWaitsAreExponential() {
        var numbers = SeededGenerator(seed: 3)
        let clients = (0..<50).map { _ in
            (0..<5).map { backoff.jitteredWait(after: $0, using: &numbers) }
        }
        #expect(clients.joined().allSatisfy { $0 >= .zero && $0 <= .seconds(60) })
        #expect(BackoffShape(pauses: clients) == .exponentialWithJitter)
    }

    @Test func aJitteredWaitReachesItsLimitAndNoMore() {
        var highest = FixedGenerator(number: .max)
        var lowest = FixedGenerator(number: 0)
        #expect(Backoff.jittered(.nanoseconds(7), using: &highest) == .nanoseconds(7))
        #expect(Backoff.jittered(.nanoseconds(7), using: &lowest) == .zero)
        #expect(Backoff.jittered(.zero, using: &highest) == .zero)
        #expect(Backoff.jittered(.seconds(Int64.max), using: &lowest) == .zero)
    }

    @Test func scatterIsAPartOfTheWait() {
        var highest = FixedGenerator(number: .max)
        var lowest = FixedGenerator(number: 0)
        let most = backoff.wait(after: 0, scatteredBy: 0.2, using: &highest)
        #expect(most > .milliseconds(4_799) && most <= .milliseconds(4_800))
        let least = backoff.wait(after: 0, scatteredBy: 0.2, using: &lowest)
        #expect(abs(least / .seconds(1) - 3.2) < 1e-9)
    }
}

/// Always the same number.
private struct FixedGenerator: RandomNumberGenerator {
    let number: UInt64

    mutating func next() -> UInt64 { number }
}
