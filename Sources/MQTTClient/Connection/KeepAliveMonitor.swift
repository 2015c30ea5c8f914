/// Decides when to ping and when silence has lasted too long. A value; times are nanoseconds.
struct KeepAliveMonitor {
    /// What is due.
    enum Verdict {
        /// Nothing.
        case alive
        /// A ping should be sent; report ``pinged(at:)`` once it was.
        case pingDue
        /// A ping went unanswered for half an interval.
        case dead
    }

    /// The interval, 0 switches the monitor off.
    let interval: UInt64
    private(set) var lastRead: UInt64
    private(set) var lastWrite: UInt64
    private(set) var unansweredSince: UInt64?

    init(interval: UInt64, now: UInt64) {
        self.interval = interval
        self.lastRead = now
        self.lastWrite = now
    }

    /// Something came from the peer.
    mutating func didRead(at now: UInt64) {
        lastRead = now
        unansweredSince = nil
    }

    /// Something was written to the peer.
    mutating func didWrite(at now: UInt64) {
        lastWrite = now
    }

    /// A ping is on its way. While reading is paused its answer cannot be seen, and none is awaited.
    mutating func pinged(at now: UInt64, isAnswerAwaited: Bool) {
        lastWrite = now
        if isAnswerAwaited { unansweredSince = unansweredSince ?? now } else { lastRead = now }
    }

    /// Something that stood before a ping was written: the peer takes what it is sent.
    mutating func wroteBeforePing(at now: UInt64) {
        didWrite(at: now)
        if unansweredSince != nil { unansweredSince = now }
    }

    /// Reading is paused: the answer to a ping that is under way cannot be seen.
    mutating func paused(at now: UInt64) {
        didRead(at: now)
    }

    /// Reading was paused and goes on: what lies between does not count as silence.
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

    /// When to ask for the next verdict; nil if never.
    func nextCheck(after now: UInt64) -> UInt64? {
        guard interval > 0 else { return nil }
        let due = unansweredSince.map { $0 + interval / 2 } ?? min(lastRead, lastWrite) + interval
        return max(due, now + 1)
    }
}
