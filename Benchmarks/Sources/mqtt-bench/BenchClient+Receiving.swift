import MQTTClient

extension BenchClient {
    /// Consumes a subscription.
    ///
    /// Returns the time between the first and the last message.
    func receive(_ load: Load, whenReady: () -> Void) async throws -> Duration {
        let filter = MQTTTopicFilter(load.message.topic)
        let subscription = try await client.subscribe(
            to: [MQTTSubscriptionRequest(filter, qos: load.qos)])
        whenReady()
        let clock = ContinuousClock()
        var begun = clock.now
        var received = 0
        for try await _ in subscription {
            if received == 0 { begun = clock.now }
            received += 1
            if received == load.count { return clock.now - begun }
        }
        throw BenchError(description: "the messages ended early")
    }
}
