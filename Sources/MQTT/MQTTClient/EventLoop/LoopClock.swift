/// The clock of an event loop.
package enum LoopClock: Sendable {
    /// The system's monotonic clock.
    case system
    /// A clock that only advances when told to.
    case manual(ManualLoopClock)

    /// The present time.
    var nanoseconds: UInt64 {
        switch self {
        case .system: monotonicNanoseconds()
        case .manual(let clock): clock.nanoseconds
        }
    }

    /// How long the loop may sleep, nanoseconds; nil is until an event comes.
    func timeLeft(until deadline: UInt64?) -> UInt64? {
        guard let deadline else { return nil }
        let now = nanoseconds
        if deadline <= now { return 0 }
        switch self {
        case .system: return deadline - now
        // Advancing the clock wakes the loop.
        case .manual: return nil
        }
    }

    /// Records that a loop will wake at this time.
    func scheduled(_ deadline: UInt64) {
        switch self {
        case .system: break
        case .manual(let clock): clock.scheduled(deadline)
        }
    }

    /// Calls `body` whenever the clock was advanced manually.
    func whenMoved(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .system: break
        case .manual(let clock): clock.whenMoved(body)
        }
    }
}
