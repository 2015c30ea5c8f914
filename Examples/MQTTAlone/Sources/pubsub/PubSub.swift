import MQTTClient

/// Subscribes to a topic, publishes to it, and prints what comes back:
/// `swift run pubsub mqtt://127.0.0.1:1883`.
@main
struct PubSub {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "mqtt://127.0.0.1:1883"
        let eventLoop = try MQTTEventLoop()
        do {
            let configuration = try MQTTConfiguration(
                broker: MQTTBrokerAddress(url: url), clientID: MQTTClientID("pubsub-example"))
            try await MQTTClient.withConnection(
                configuration: configuration, eventLoop: eventLoop, greet)
        } catch {
            print("\(error)")
        }
        await eventLoop.shutdown()
    }

    static func greet(over client: MQTTClient) async throws {
        let greetings = try await client.subscribe(
            to: [MQTTSubscriptionRequest(MQTTTopicFilter("greetings/#"), qos: .atLeastOnce)])
        let message = try MQTTMessage(
            topic: MQTTTopic("greetings/world"), payload: Array("Hello".utf8), qos: .atLeastOnce)
        print("the broker says: \(try await client.publish(message))")
        for try await message in greetings {
            print("\(message.topic): \(String(decoding: message.payload, as: UTF8.self))")
            break
        }
    }
}
