import MQTTClient

extension BenchClient {
    /// Sends a request for every response, so that as many are under way as it is told.
    ///
    /// Returns what was seen, and how long all of it took.
    func roundTrips(
        concurrent: Int, count: Int, whenReady: () -> Void
    ) async throws -> (RoundTrips, Duration) {
        let responses = try await client.subscribe(
            to: [MQTTSubscriptionRequest(try MQTTTopicFilter("bench/response"))])
        var trips = RoundTrips(topic: try MQTTTopic("bench/request"), count: count)
        whenReady()
        let clock = ContinuousClock()
        let begun = clock.now
        for _ in 0..<concurrent { await client.publishWithoutWaiting(trips.request()) }
        var received = 0
        for try await response in responses {
            try trips.record(response)
            received += 1
            if received == count { return (trips, clock.now - begun) }
            if trips.requestCount < count {
                await client.publishWithoutWaiting(trips.request())
            }
        }
        throw BenchError(description: "the responses ended early")
    }
}
