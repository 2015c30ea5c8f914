/// Decides when to send PINGREQ and when the broker has been silent for too long. A value type; times are
/// in nanoseconds.
struct KeepAliveMonitor {
    /// What to do now.
    enum Verdict {
        /// Nothing.
        case alive
        /// A ping should be sent; report ``pinged(at:)`` once it was.
        case pingDue
        /// A ping went unanswered for half an interval.
        case dead
    }

    /// The keep-alive interval; 0 switches the monitor off.
    let interval: UInt64
    private(set) var lastRead: UInt64
    private(set) var lastWrite: UInt64
    private(set) var unansweredSince: UInt64?

    init(interval: UInt64, now: UInt64) {
        self.interval = interval
        self.lastRead = now
        self.lastWrite = now
    }

    /// Data was received from the peer.
    mutating func didRead(at now: UInt64) {
        lastRead = now
        unansweredSince = nil
    }

    /// Data was written to the peer.
    mutating func didWrite(at now: UInt64) {
        lastWrite = now
    }

    /// A ping was sent. While reading is paused its answer cannot be seen, so none is expected.
    mutating func pinged(at now: UInt64, isAnswerAwaited: Bool) {
        lastWrite = now
        if isAnswerAwaited { unansweredSince = unansweredSince ?? now } else { lastRead = now }
    }

    /// Data queued before a ping was written, which shows that the peer still reads.
    mutating func wroteBeforePing(at now: UInt64) {
        didWrite(at: now)
        if unansweredSince != nil { unansweredSince = now }
    }

    /// Reading was paused: the answer to an outstanding ping cannot be seen.
    mutating func paused(at now: UInt64) {
        didRead(at: now)
    }

    /// Reading was resumed: the pause does not count as silence.
    mutating func resumed(at now: UInt64) {
        didRead(at: now)
    }

    func verdict(at now: UInt64) -> Verdict {
        guard interval > 0 else { return .alive }
        if let unansweredSince {
            return now >= unansweredSince + interval / 2 ? .dead : .alive
        }
        return now >= min(lastRead, lastWrite) + interval ? .pingDue : .alive
    }

    /// When to check next; nil if never.
    func nextCheck(after now: UInt64) -> UInt64? {
        guard interval > 0 else { return nil }
        let due = unansweredSince.map { $0 + interval / 2 } ?? min(lastRead, lastWrite) + interval
        return max(due, now + 1)
    }
}
