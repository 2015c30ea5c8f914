import MQTTClient

/// Makes clients, uses each once and lets go of it: nothing of them may stay behind.
struct Visitor {
    let port: UInt16
    let loop: MQTTEventLoop
    let tally: Tally
    let doorway: Doorway

    func comeAndGo() async {
        var number = 0
        while true {
            if doorway.enter() {
                number += 1
                do {
                    try await visit(number)
                    tally.add { $0.visits += 1 }
                } catch {
                    tally.add { $0.failed += 1 }
                }
                doorway.leave()
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func visit(_ number: Int) async throws {
        let configuration = try MQTTConfiguration.soak("visitor-\(number % 100)", port: port)
        try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
            client in
            _ = try await client.subscribe(
                to: [MQTTSubscriptionRequest(try MQTTTopicFilter("visit/#"))],
                buffering: .dropNewest(10))
            try await client.publish(
                MQTTMessage(topic: try MQTTTopic("visit/here"), payload: [1, 2, 3]))
        }
    }
}
