import MQTTClient

/// A connected client whose user lives on the executor of its loop.
actor BenchClient {
    let client: MQTTClient
    private let loop: MQTTEventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(port: Int, loop: MQTTEventLoop) async throws {
        client = MQTTClient(configuration: try .bench(port: port, number: 0), eventLoop: loop)
        self.loop = loop
        try await client.connect()
    }

    func disconnect() async {
        await client.disconnect()
    }
}
