/// Detects that a broker has stopped acknowledging. A value type; times are in nanoseconds.
///
/// It watches for progress instead of timing each packet. So it needs one number per connection, and does
/// not give up on a broker that is merely slow.
struct AcknowledgementWatch {
    /// How long the broker may acknowledge nothing; nil is no limit.
    let limit: UInt64?
    /// When the present wait for an acknowledgement began; nil if none is outstanding.
    private(set) var since: UInt64?

    init(limit: Duration?) {
        self.limit = limit?.wholeNanoseconds
    }

    /// A packet was sent that must be acknowledged. True if no acknowledgement was outstanding before.
    mutating func sent(at now: UInt64) -> Bool {
        guard limit != nil, since == nil else { return false }
        since = now
        return true
    }

    /// An acknowledgement came, or reading was resumed after a pause.
    mutating func progressed(at now: UInt64, isAnythingDue: Bool) {
        guard limit != nil else { return }
        since = isAnythingDue ? now : nil
    }

    /// When the limit is reached; nil if no acknowledgement is outstanding.
    var deadline: UInt64? {
        guard let limit, let since else { return nil }
        return since &+ limit
    }

    func isOver(at now: UInt64) -> Bool {
        deadline.map { now >= $0 } ?? false
    }
}
