/// The time that an event loop goes by.
package enum LoopClock: Sendable {
    /// The system's monotonic clock.
    case system
    /// A clock that stands still until it is moved.
    case manual(ManualLoopClock)

    /// The present time.
    var nanoseconds: UInt64 {
        switch self {
        case .system: monotonicNanoseconds()
        case .manual(let clock): clock.nanoseconds
        }
    }

    /// How long the loop may sleep, nanoseconds; nil is until something happens.
    func timeLeft(until deadline: UInt64?) -> UInt64? {
        guard let deadline else { return nil }
        let now = nanoseconds
        if deadline <= now { return 0 }
        switch self {
        case .system: return deadline - now
        // Moving the clock wakes the loop.
        case .manual: return nil
        }
    }

    /// A loop will wake at that time.
    func scheduled(_ deadline: UInt64) {
        switch self {
        case .system: break
        case .manual(let clock): clock.scheduled(deadline)
        }
    }

    /// Calls `body` whenever the clock was moved by hand.
    func whenMoved(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .system: break
        case .manual(let clock): clock.whenMoved(body)
        }
    }
}
