public import DeviceDomain

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The clocks of a channel that polls.
public protocol ChannelClock: Sendable {
    /// Now, by the wall clock.
    var wall: Timestamp { get }
    /// Waits, at most until the task is cancelled.
    func sleep(for duration: Duration) async
}

/// The clocks of the machine.
public struct SystemChannelClock: ChannelClock {
    public init() {}

    public var wall: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    public func sleep(for duration: Duration) async {
        // Cancellation ends the wait; callers check it afterwards.
        try? await Task.sleep(for: duration)
    }
}
