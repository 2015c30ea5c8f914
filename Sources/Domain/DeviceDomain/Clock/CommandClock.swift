#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The clocks of a controller: the wall clock for what is written, a monotonic one for waits.
public protocol CommandClock: Sendable {
    /// Now, by both clocks.
    var now: Moment { get }
    /// Waits until the monotonic clock shows `elapsed`, or the task is cancelled.
    func sleep(until elapsed: Duration) async
}

extension CommandClock {
    /// Waits for a time, or until the task is cancelled.
    public func sleep(for duration: Duration) async { await sleep(until: now.elapsed + duration) }
}

/// The clocks of the machine. Time in which it is suspended counts.
public struct MachineClock: CommandClock {
    private let clock = ContinuousClock()
    private let origin: ContinuousClock.Instant

    /// A clock whose monotonic time begins now.
    public init() { origin = clock.now }

    public var now: Moment {
        Moment(wall: Self.wallTime, elapsed: origin.duration(to: clock.now))
    }

    /// The wall clock of the machine.
    public static var wallTime: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    public func sleep(until elapsed: Duration) async {
        // Cancellation ends the wait; callers check the clock afterwards.
        try? await clock.sleep(until: origin.advanced(by: elapsed), tolerance: .milliseconds(1))
    }
}
