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

    private enum State {
        case initialized
        case pending(CheckedContinuation<End, Never>)
        case ended(End)
    }

    let goal: WaitGoal
    private let state = Guarded(State.initialized)

    init(goal: WaitGoal) { self.goal = goal }

    /// Ends the wait; only the first call counts.
    func end(_ end: End) {
        let waiting = state.withLock { state -> CheckedContinuation<End, Never>? in
            switch state {
            case .initialized:
                state = .ended(end)
                return nil
            case .pending(let continuation):
                state = .ended(end)
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: end)
    }

    /// Waits for the end; called once.
    func wait() async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state -> End? in
                    switch state {
                    case .initialized:
                        state = .pending(continuation)
                        return nil
                    case .pending: preconditionFailure("a slot has one caller")
                    case .ended(let end): return end
                    }
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }
}
