/// Notices that a broker has stopped acknowledging. A value; times are nanoseconds.
///
/// It watches progress and not each packet: one number per connection, and a broker that is merely slow
/// is left alone.
struct AcknowledgementWatch {
    /// How long nothing may come, nil for ever.
    let limit: UInt64?
    /// Since when something is due without anything having come.
    private(set) var since: UInt64?

    init(limit: Duration?) {
        self.limit = limit?.wholeNanoseconds
    }

    /// Something was sent that must be acknowledged. True if nothing was due before.
    mutating func sent(at now: UInt64) -> Bool {
        guard limit != nil, since == nil else { return false }
        since = now
        return true
    }

    /// An acknowledgement came, or reading goes on after a pause.
    mutating func progressed(at now: UInt64, isAnythingDue: Bool) {
        guard limit != nil else { return }
        since = isAnythingDue ? now : nil
    }

    /// When the time will be over; nil if nothing is due.
    var deadline: UInt64? {
        guard let limit, let since else { return nil }
        return since &+ limit
    }

    func isOver(at now: UInt64) -> Bool {
        deadline.map { now >= $0 } ?? false
    }
}
