internal import Basics

/// One caller's wait. It is registered before anything can end it, and resumed exactly once.
final class WaitSlot: Sendable {
    /// How a wait ends.
    enum End: Sendable {
        /// What was waited for is there.
        case reached
        /// The time ran out.
        case timedOut
        /// The invoker has stopped.
        case stopped
        /// The caller was cancelled.
        case cancelled
    }

    let goal: WaitGoal
    private let slot = AnswerSlot<End>()

    init(goal: WaitGoal) { self.goal = goal }

    /// Ends the wait; only the first call counts.
    func end(_ end: End) { slot.resolve(end) }

    /// Waits for the end; called once.
    func wait() async -> End { await slot.value(ifCancelled: .cancelled) }
}
