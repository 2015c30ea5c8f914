import MQTTClient

extension BenchClient {
    /// Answers every request with its own payload.
    func respond(whenReady: () -> Void) async throws {
        let requests = try await client.subscribe(
            to: [MQTTSubscriptionRequest(try MQTTTopicFilter("bench/request"))])
        let topic = try MQTTTopic("bench/response")
        whenReady()
        for try await request in requests {
            await client.publishWithoutWaiting(
                MQTTMessage(topic: topic, payload: request.payload))
        }
    }
}
