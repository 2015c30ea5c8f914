/// The one deadline of a connection, whose meaning depends on its state. A value type; times are nanoseconds.
///
/// The timer queue cannot move an entry, so an entry that comes too early is scheduled again when it is due.
struct ConnectionDeadline {
    /// What an entry of the timer queue that is due means.
    enum Expiry: Equatable {
        /// Nothing: another entry comes earlier, or there is no deadline any more.
        case stale
        /// The deadline was moved to this time.
        case moved(UInt64)
        /// The deadline is reached.
        case reached
    }

    private var time: UInt64?
    /// The time of the earliest entry in the timer queue.
    private var armed = UInt64.max

    /// Sets the deadline. Returns whether an entry of the timer queue is needed for it.
    mutating func set(to time: UInt64) -> Bool {
        self.time = time
        guard time < armed else { return false }
        armed = time
        return true
    }

    /// There is no deadline from now on.
    mutating func clear() {
        time = nil
    }

    /// Whether an entry of the timer queue is still valid: only the earliest one is.
    func awaits(_ time: UInt64) -> Bool { time == armed }

    /// An entry of the timer queue is due.
    mutating func fired(_ entry: UInt64, at now: UInt64) -> Expiry {
        guard awaits(entry) else { return .stale }
        armed = .max
        guard let time else { return .stale }
        guard time <= now else { return .moved(time) }
        self.time = nil
        return .reached
    }
}
