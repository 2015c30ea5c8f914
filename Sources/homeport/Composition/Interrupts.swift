import UnixSignals

/// The user's wish to stop: Ctrl-C or SIGTERM is told, instead of ending the program at once.
enum Interrupts {
    /// Runs `body` until it returns or the user interrupts, which cancels it.
    /// - Returns: what the body returned; `nil` where it was interrupted.
    static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return await withTaskGroup(of: Value?.self) { group in
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
