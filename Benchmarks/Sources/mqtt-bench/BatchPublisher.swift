import MQTTClient

/// Publishes from the loop's own executor and awaits confirmations a batch at a time.
actor BatchPublisher {
    private static let batchSize = 5_000

    private let client: MQTTClient
    private let loop: MQTTEventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(client: MQTTClient, loop: MQTTEventLoop) {
        self.client = client
        self.loop = loop
    }

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
