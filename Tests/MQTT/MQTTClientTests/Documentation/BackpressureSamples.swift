import MQTTClient

/// The code in Backpressure and Errors, run by ``SampleRunTests``.
enum BackpressureSamples {
    static func policies(_ client: MQTTClient) async throws -> [MQTTSubscription] {
        // sample: policies
        let orders = try await client.subscribe(
            to: [MQTTSubscriptionRequest(MQTTTopicFilter("orders/#"))], buffering: .suspend(256))
        let states = try await client.subscribe(
            to: [MQTTSubscriptionRequest(MQTTTopicFilter("+/state"))], buffering: .latestPerTopic())
        let samples = try await client.subscribe(
            to: [MQTTSubscriptionRequest(MQTTTopicFilter("+/sample"), qos: .atMostOnce)],
            buffering: .dropOldest(1_000))
        // end sample
        return [orders, states, samples]
    }

    static func drops(_ client: MQTTClient, _ states: MQTTSubscription) async -> [Int] {
        // sample: drops
        let superseded = states.droppedMessages
        let drops = await client.drops
        let slow = drops[.bufferOverflow]
        let unanswered = drops[.unanswered]
        // end sample
        return [superseded, slow, unanswered]
    }

    static func handle(_ client: MQTTClient, _ message: MQTTMessage) async -> String {
        // sample: errors by code
        do {
            try await client.publish(message)
            return "sent"
        } catch {
            switch error.code {
            case .notConnected, .outboxFull: return "not sent, try later"
            case .connectionLost, .cancelled: return "perhaps sent, ask the receiver"
            default: return "\(error)"
            }
        }
        // end sample
    }
}
