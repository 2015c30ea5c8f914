/// One moment by two clocks: the wall clock for what is written into payloads and the ledger, the
/// monotonic one for every wait.
public struct Moment: Hashable, Sendable {
    /// By the wall clock.
    public var wall: Timestamp
    /// By the monotonic clock, since an origin that holds for one process.
    public var elapsed: Duration

    public init(wall: Timestamp, elapsed: Duration) {
        self.wall = wall
        self.elapsed = elapsed
    }

    /// The monotonic time at which the wall clock shows `moment`, if it is not set meanwhile.
    public func elapsed(at moment: Timestamp) -> Duration {
        elapsed + moment.since(wall)
    }
}
