internal import Basics

/// When the effect of a command is looked for: every 2 s, and after ten seconds more slowly.
struct ReadBackWaits: Hashable, Sendable {
    private static let steady = 5
    private static let backoff = Backoff(first: .seconds(2), longest: .seconds(16))
    private var count = 0

    /// The next wait.
    mutating func next() -> Duration {
        defer { count += 1 }
        return count < Self.steady ? .seconds(2) : Self.backoff.wait(after: count - Self.steady + 1)
    }
}
