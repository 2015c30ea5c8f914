import MQTTClient

extension BenchClient {
    private static let batchSize = 5_000

    /// Publishes and awaits confirmations a batch at a time.
    ///
    /// Returns how long it took until the broker had everything.
    func publish(_ load: Load) async throws -> Duration {
        let clock = ContinuousClock()
        let begun = clock.now
        var left = load.count
        while left > 0 {
            var batch = Array(repeating: load.message, count: min(left, Self.batchSize))
            left -= batch.count
            if left == 0 { batch[batch.count - 1] = load.last }
            guard try await client.publish(contentsOf: batch).allSucceeded else {
                throw BenchError(description: "a message was not taken")
            }
        }
        return clock.now - begun
    }
}
