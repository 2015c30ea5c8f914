import MQTTClient

/// A client that publishes to its neighbour, hears the other one, and is kept connected.
actor Worker {
    private static let batchSize = 10
    private static let pace = Duration.milliseconds(100)

    private let client: MQTTClient
    private let loop: MQTTEventLoop
    private let tally: Tally
    private let topic: MQTTTopic
    private let filter: MQTTTopicFilter

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(number: Int, of count: Int, port: UInt16, loop: MQTTEventLoop, tally: Tally) throws {
        self.loop = loop
        self.tally = tally
        topic = try MQTTTopic("soak/\((number + 1) % count)")
        filter = try MQTTTopicFilter("soak/\(number)")
        client = MQTTClient(
            configuration: try .soak("soak-\(number)", port: port), eventLoop: loop)
    }

    func keepConnected() async {
        async let states: Void = watch()
        while true {
            // Ends only when the connection has failed for good, which a broker that dies is no reason for.
            do { try await client.run() } catch { tally.add { $0.failed += 1 } }
            try? await Task.sleep(for: .seconds(1))
        }
        await states
    }

    private func watch() async {
        var isConnected = false
        for await state in client.connectionEvents {
            let wasConnected = isConnected
            if case .connected = state { isConnected = true } else { isConnected = false }
            guard isConnected != wasConnected else { continue }
            tally.add { $0.connected += isConnected ? 1 : -1 }
            if isConnected { tally.add { $0.reconnects += 1 } }
        }
    }

    func publish() async {
        let message = MQTTMessage(topic: topic, payload: Array(repeating: 7, count: 200))
        let batch = Array(repeating: message, count: Self.batchSize)
        while true {
            if let results = try? await client.publish(contentsOf: batch), results.allSucceeded {
                tally.add { $0.published += Self.batchSize }
            } else {
                tally.add { $0.failed += 1 }
            }
            try? await Task.sleep(for: Self.pace)
        }
    }

    func consume() async {
        let request = MQTTSubscriptionRequest(filter)
        while true {
            if let subscription = try? await client.subscribe(
                to: [request], buffering: .dropOldest(100))
            {
                await hear(subscription)
                tally.add { $0.dropped += subscription.droppedMessages }
            }
            try? await Task.sleep(for: Self.pace)
        }
    }

    private func hear(_ subscription: MQTTSubscription) async {
        do {
            for try await _ in subscription { tally.add { $0.received += 1 } }
        } catch {
            tally.add { $0.failed += 1 }
        }
    }
}

extension MQTTConfiguration {
    /// Finds a dead broker within eight seconds and is back within two.
    static func soak(_ name: String, port: UInt16) throws -> MQTTConfiguration {
        MQTTConfiguration(
            broker: try MQTTBrokerAddress(host: "127.0.0.1", port: port),
            clientID: try MQTTClientID(name), keepAlive: .seconds(5), connectTimeout: .seconds(5),
            reconnect: MQTTReconnectPolicy(initial: .milliseconds(100), cap: .seconds(2)))
    }
}
