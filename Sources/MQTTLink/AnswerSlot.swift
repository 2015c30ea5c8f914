internal import Locking

/// The place of one answer that somebody waits for: resumed exactly once, by the first of answer
/// and cancellation.
package final class AnswerSlot<Answer: Sendable>: Sendable {
    private enum State {
        case initialized
        case pending(CheckedContinuation<Answer, Never>)
        case answered(Answer)
        case taken
    }

    private let state = Guarded(State.initialized)

    package init() {}

    /// Gives the answer; a second one is ignored. Callable from any thread.
    package func resolve(_ answer: Answer) {
        let waiter: CheckedContinuation<Answer, Never>? = state.withLock { state in
            switch state {
            case .initialized:
                state = .answered(answer)
                return nil
            case .pending(let continuation):
                state = .taken
                return continuation
            case .answered, .taken:
                return nil
            }
        }
        waiter?.resume(returning: answer)
    }

    /// Waits for the answer; once only.
    /// - Parameter cancelled: the answer that a cancelled task gets.
    package func value(ifCancelled cancelled: Answer) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            resolve(cancelled)
        }
    }

    private func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        let answer: Answer? = state.withLock { state in
            switch state {
            case .initialized:
                state = .pending(continuation)
                return nil
            case .answered(let answer):
                state = .taken
                return answer
            case .pending, .taken:
                preconditionFailure("an answer is waited for once")
            }
        }
        if let answer { continuation.resume(returning: answer) }
    }
}
