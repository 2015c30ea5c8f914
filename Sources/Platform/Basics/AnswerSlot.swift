/// One answer that one task waits for. The task is resumed exactly once, by the answer or by its
/// cancellation, whichever comes first.
package final class AnswerSlot<Answer: Sendable>: Sendable {
    private enum State {
        case initialized
        case pending(CheckedContinuation<Answer, Never>)
        case answered(Answer)
        case taken
    }

    private let state = Guarded(State.initialized)

    package init() {}

    /// Sets the answer; later ones are ignored. Callable from any thread.
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

    /// Waits for the answer. May be called once.
    /// - Parameter cancelled: what to return if the task is cancelled.
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
                preconditionFailure("value(ifCancelled:) may be called once")
            }
        }
        if let answer { continuation.resume(returning: answer) }
    }
}
