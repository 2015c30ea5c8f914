import UnixSignals

/// The user's wish to stop: from here on Ctrl-C and SIGTERM are told, instead of ending the
/// program at once.
struct Interrupts: Sendable {
    private let signals: UnixSignalsSequence

    /// Begins to listen.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    }

    /// Runs `body` until it returns or the user interrupts, or has interrupted since this value
    /// was made, which cancels it.
    /// - Returns: what the body returned; `nil` where it was interrupted.
    func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value?
    {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}
