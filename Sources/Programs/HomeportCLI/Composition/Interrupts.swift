import Glibc
import Homeport
import Synchronization
import UnixSignals

/// Catches Ctrl-C and SIGTERM, so that they cancel the work instead of ending the program at once.
struct Interrupts: Sendable {
    /// Set by a signal that arrives before ``cancelling(_:)`` listens.
    private static let isEarly = Atomic(false)

    /// Whether the end of the terminal ends the program, as it does unless `nohup` started it.
    private static let endsWithTerminal: Bool = {
        var present = sigaction()
        guard sigaction(SIGHUP, nil, &present) == 0 else { return true }
        return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self)
            != unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    private let call: Call

    /// Begins to catch what interrupts a call. It is cheap: the listener is set up later, beside the
    /// work.
    init(of call: Call) {
        self.call = call
        guard call.server == nil else { return }
        Self.isEarly.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] + (Self.endsWithTerminal ? [SIGHUP] : []) {
            signal(number) { _ in Interrupts.isEarly.store(true, ordering: .relaxed) }
        }
    }

    /// Runs `body`, and cancels it when the user interrupts, or has interrupted since this value was
    /// made.
    /// - Returns: what the body returned; `nil` if it was interrupted.
    func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value?
    {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask(executorPreference: globalConcurrentExecutor) {
                await interruption()
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    /// Runs `body`, and cancels it when the user interrupts; how it then ends is its own matter.
    func cancellingToEnd<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async
        -> Value
    {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask(executorPreference: globalConcurrentExecutor) {
                await interruption()
                return nil
            }
            while let next = await group.next() {
                group.cancelAll()
                if let next { return next }
            }
            preconditionFailure("the body has returned a value")
        }
    }

    /// Waits until the user interrupts.
    private func interruption() async {
        if let server = call.server {
            for await _ in server.interruptions { return }
            return
        }
        let signals =
            Self.endsWithTerminal
            ? await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
            : await UnixSignalsSequence(trapping: .sigint, .sigterm)
        if Self.isEarly.load(ordering: .relaxed) { return }
        for await _ in signals { return }
    }

    /// Ends the program as an uncaught Ctrl-C does.
    static func endProgram() -> Never {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(128 + SIGINT)
    }
}
