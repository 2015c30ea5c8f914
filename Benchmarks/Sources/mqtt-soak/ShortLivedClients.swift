import MQTTClient

/// Connects clients one after the other, each used once: none may leave anything allocated.
struct ShortLivedClients {
    let port: UInt16
    let loop: MQTTEventLoop
    let tally: Tally
    let gate: PauseGate

    func run() async {
        var number = 0
        while true {
            if gate.enter() {
                number += 1
                do {
                    try await useOnce(number)
                    tally.add { $0.shortLived += 1 }
                } catch {
                    tally.add { $0.failed += 1 }
                }
                gate.leave()
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func useOnce(_ number: Int) async throws {
        let configuration = try MQTTConfiguration.soak("short-lived-\(number % 100)", port: port)
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
