public import DeviceDomain

/// The clocks of a process that owns homes: its own monotonic clock, and the wall clock of the database. Machines whose
/// clocks differ so agree until when a command may start. Before the database was heard it is the wall clock of the machine.
public struct DatabaseClock: CommandClock {
    private let ownership: HomeOwnership
    private let base: any CommandClock

    /// - Parameter base: the clock of the ownership.
    public init(of ownership: HomeOwnership, on base: any CommandClock) {
        self.ownership = ownership
        self.base = base
    }

    public var now: Moment {
        let now = base.now
        return Moment(wall: ownership.time(at: now.elapsed) ?? now.wall, elapsed: now.elapsed)
    }

    public func sleep(until elapsed: Duration) async { await base.sleep(until: elapsed) }
}
