import MQTTClient

/// Answers every request with its own payload.
actor Responder {
    private let client: MQTTClient
    private let loop: MQTTEventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(client: MQTTClient, loop: MQTTEventLoop) {
        self.client = client
        self.loop = loop
    }

    func run(whenReady: () -> Void) async throws {
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
