import DeviceDomain
import Synchronization

/// A wall clock that a test sets.
final class Moment: Sendable {
    private let milliseconds = Mutex(1_764_000_000_000)
    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock(\.self)) }
    func advance(_ seconds: Int) { milliseconds.withLock { $0 += seconds * 1_000 } }
}

/// A clock on which every sleep is over at once, and is written down.
final class SleepLog: Clock {
    private let sleeps = Mutex<[Duration]>([])
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    var taken: [Duration] { sleeps.withLock(\.self) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let length = now.duration(to: deadline)
        sleeps.withLock { $0.append(.seconds((length / .seconds(1)).rounded())) }
    }
}
