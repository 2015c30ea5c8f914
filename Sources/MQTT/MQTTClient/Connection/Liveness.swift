/// Whether the broker is still there: it answers pings and acknowledges what it is sent. A value type; times are
/// nanoseconds.
struct Liveness {
    /// What to do now.
    enum Verdict {
        /// Nothing.
        case alive
        /// A ping should be sent; report ``pinged(at:isWritten:isReading:)``.
        case pingDue
        /// The broker did not answer a ping.
        case silent
        /// The broker has acknowledged nothing for too long.
        case unacknowledged
    }

    private var keepAlive = KeepAliveMonitor(interval: 0, now: 0)
    private var watch: AcknowledgementWatch
    /// Whether a ping is due once the queued packets are written.
    private(set) var isPingOwed = false

    /// Watches nothing before ``connected(keepAlive:at:)``.
    init(acknowledgementTimeout: Duration?) {
        watch = AcknowledgementWatch(limit: acknowledgementTimeout)
    }

    /// The broker accepted the connection.
    mutating func connected(keepAlive interval: Duration, at now: UInt64) {
        keepAlive = KeepAliveMonitor(interval: interval.wholeNanoseconds, now: now)
    }

    /// Data was received.
    mutating func didRead(at now: UInt64) {
        keepAlive.didRead(at: now)
    }

    /// Data was written.
    mutating func didWrite(at now: UInt64) {
        keepAlive.didWrite(at: now)
    }

    /// Data that was queued before an owed ping was written, which shows that the peer still reads.
    mutating func wroteQueued(at now: UInt64) {
        if isPingOwed { keepAlive.wroteBeforePing(at: now) }
    }

    /// The socket accepts more data. That the peer reads is a sign of life, however long the rest takes.
    mutating func madeRoom(at now: UInt64, isReading: Bool, isAnythingDue: Bool) {
        wroteQueued(at: now)
        if isReading { acknowledged(at: now, isAnythingDue: isAnythingDue) }
    }

    /// A packet was sent that must be acknowledged. Returns whether the next check may have become earlier.
    mutating func sentRequest(at now: UInt64) -> Bool {
        watch.sent(at: now)
    }

    /// An acknowledgement came; `isAnythingDue` says whether others are outstanding.
    mutating func acknowledged(at now: UInt64, isAnythingDue: Bool) {
        watch.progressed(at: now, isAnythingDue: isAnythingDue)
    }

    /// Reading was paused: the answer to an outstanding ping cannot be seen.
    mutating func paused(at now: UInt64) {
        keepAlive.paused(at: now)
    }

    /// Reading was resumed: the pause does not count as silence.
    mutating func resumed(at now: UInt64, isAnythingDue: Bool) {
        keepAlive.resumed(at: now)
        watch.progressed(at: now, isAnythingDue: isAnythingDue)
    }

    /// A ping was due. It was written, or must wait for the packets that are queued before it.
    mutating func pinged(at now: UInt64, isWritten: Bool, isReading: Bool) {
        isPingOwed = !isWritten
        keepAlive.pinged(at: now, isAnswerAwaited: isReading)
    }

    /// What to do at this moment. While reading is paused the acknowledgements cannot be seen.
    func verdict(at now: UInt64, isReading: Bool) -> Verdict {
        let ping = keepAlive.verdict(at: now)
        if ping == .dead { return .silent }
        if isReading, watch.isOver(at: now) { return .unacknowledged }
        return ping == .pingDue ? .pingDue : .alive
    }

    /// When to ask for the next verdict; nil if never.
    func nextCheck(after now: UInt64, isReading: Bool) -> UInt64? {
        let ping = keepAlive.nextCheck(after: now)
        guard isReading, let answer = watch.deadline else { return ping }
        return min(ping ?? answer, answer)
    }
}
