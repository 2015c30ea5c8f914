private import DequeModule

/// The order in which connections may reconnect under a budget. A value type without a clock; times are
/// nanoseconds of the owner's clock.
///
/// Instead of tokens it stores the time at which the bucket will be full again (the generic cell rate
/// algorithm, ITU-T I.371), so nothing has to be refilled.
struct ReconnectQueue<Member> {
    private let interval: UInt64
    private let tolerance: UInt64
    private var fullAgain: UInt64 = 0
    private var waiting: Deque<Member> = []

    init(budget: MQTTReconnectBudget) {
        interval = budget.interval
        let product = interval.multipliedReportingOverflow(by: UInt64(budget.burst - 1))
        tolerance = product.overflow ? .max / 4 : min(product.partialValue, .max / 4)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// True if the member may go at once; otherwise it waits for ``release(at:where:)``.
    mutating func enter(_ member: Member, at now: UInt64) -> Bool {
        if waiting.isEmpty, take(at: now) { return true }
        waiting.append(member)
        return false
    }

    /// The member that may go now, if any. Members that no longer wait use none of the budget.
    mutating func release(at now: UInt64, where isWaiting: (Member) -> Bool) -> Member? {
        while let first = waiting.first, !isWaiting(first) { waiting.removeFirst() }
        guard !waiting.isEmpty, take(at: now) else { return nil }
        return waiting.removeFirst()
    }

    /// When to call ``release(at:where:)``; nil if no member waits.
    var nextRelease: UInt64? {
        waiting.isEmpty ? nil : fullAgain - min(fullAgain, tolerance)
    }

    private mutating func take(at now: UInt64) -> Bool {
        guard now + tolerance >= fullAgain else { return false }
        fullAgain = max(fullAgain, now) + interval
        return true
    }
}
