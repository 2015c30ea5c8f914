/// Waits between attempts that double from a first one up to a longest one. It counts nothing and reads no clock.
package struct Backoff: Hashable, Sendable {
    /// The wait after the first failure.
    package let first: Duration
    /// The longest wait.
    package let longest: Duration

    /// - Parameters:
    ///   - first: more than zero; what is above `longest` is that.
    ///   - longest: at most 2³² s count.
    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The wait after so many earlier failures, without chance.
    package func wait(after failures: Int) -> Duration {
        // Bounded before the multiplication, which could overflow.
        min(longest, min(first, longest, .seconds(UInt32.max)) * (1 << min(failures, 20)))
    }

    /// The wait after so many earlier failures, and as much as a part of it more or less.
    /// - Parameter scatter: from 0 to 1.
    package func wait(
        after failures: Int, scatteredBy scatter: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let fraction = SeededGenerator.fraction(of: generator.next())
        return wait(after: failures) * (1 + scatter * (2 * fraction - 1))
    }

    /// A wait from zero up to that after so many earlier failures, so that many programs do not come at once
    /// ("full jitter": Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015).
    package func jitteredWait(
        after failures: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        Self.jittered(wait(after: failures), using: &generator)
    }

    /// A wait from zero up to a limit, to the nanosecond.
    /// - Parameter limit: not below zero; at most 2⁶³ ns, 292 years, count.
    package static func jittered(
        _ limit: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let nanoseconds = Int64(clamping: limit.attoseconds / 1_000_000_000)
        return .nanoseconds(Int64.random(in: 0...max(0, nanoseconds), using: &generator))
    }
}
