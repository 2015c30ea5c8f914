internal import DeviceDomain
internal import Locking

/// Bounds how often a wrong token or password is tried, by all browsers together.
final class AttemptLimit: Sendable {
    /// How many wrong ones are allowed in ``period``: 10 in a minute are 14,400 a day, far from what a
    /// guess of even a weak password needs.
    static let attempts = 10
    /// The period in milliseconds.
    static let period = 60_000

    private let failures = Guarded<[Int]>([])

    /// Whether another attempt may be made at a moment.
    func allows(at moment: Timestamp) -> Bool {
        failures.withLock { failures in
            failures.removeAll { $0 <= moment.milliseconds - Self.period }
            return failures.count < Self.attempts
        }
    }

    /// Counts a wrong attempt.
    func fail(at moment: Timestamp) {
        failures.withLock { $0.append(moment.milliseconds) }
    }
}
