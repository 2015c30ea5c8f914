import Glibc
import Synchronization
import UnixSignals

/// Ctrl-C and SIGTERM as events, instead of the end of the program.
struct Interrupts: Sendable {
    /// Set by a signal that arrives before the task that waits for signals has started.
    private static let isEarly = Atomic(false)

    /// Begins to hold signals back. The task that is told of them is started later, beside the work.
    init() {
        Self.isEarly.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in Interrupts.isEarly.store(true, ordering: .relaxed) }
        }
    }

    /// Runs `body` until it returns or the user interrupts, or has interrupted since this value
    /// was made, which cancels it.
    /// - Returns: what the body returned; `nil` where it was interrupted.
    func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value?
    {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask(executorPreference: globalConcurrentExecutor) {
                let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
                if Self.isEarly.load(ordering: .relaxed) { return nil }
                for await _ in signals { return nil }
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    /// Ends the program as Ctrl-C does without a handler.
    static func endProgram() -> Never {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(128 + SIGINT)
    }
}
