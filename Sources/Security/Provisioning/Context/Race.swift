/// How a piece of work ended that had a limited time.
enum RaceEnd: Hashable, Sendable {
    /// By itself.
    case finished
    /// It was cancelled because its time was over.
    case timedOut
}

/// Runs work for a limited time. When that is over the work is cancelled, and its value is awaited.
func race<Value: Sendable>(
    within limit: Duration, by clock: any ProvisioningClock,
    _ work: @escaping @Sendable () async -> Value
) async -> (value: Value?, end: RaceEnd) {
    await withTaskGroup { group in
        group.addTask { Value?.some(await work()) }
        group.addTask {
            await clock.sleep(for: limit)
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        if let first { return (first, .finished) }
        return (await group.next() ?? nil, .timedOut)
    }
}
