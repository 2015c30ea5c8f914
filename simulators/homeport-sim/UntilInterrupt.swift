import UnixSignals

/// Work that goes on until it is done, a time is over, or somebody interrupts it.
enum UntilInterrupt {
    /// Runs `body`, and cancels it after a time or at an interrupt.
    /// - Parameter limit: how long it may take; `nil` for any time.
    /// - Returns: what `body` returns, also where it was cancelled.
    static func run<Value: Sendable>(
        for limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let interrupts = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in interrupts { break }
                return nil
            }
            if let limit {
                group.addTask {
                    try? await Task.sleep(for: limit)
                    return nil
                }
            }
            // Whatever ends first ends the others, and the body says what it came to.
            while let value = try await group.next() {
                group.cancelAll()
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}
