import MQTTClient

/// Many connections that one actor on their loop owns.
actor ConnectionFleet {
    private static let payloadSize = 200
    private static let interval = Duration.seconds(10)
    private static let madeAtOnce = 8

    private let loop: MQTTEventLoop
    private let clock = ContinuousClock()
    private var connections: [MQTTConnection] = []
    private var expected = 0
    private var connected = 0
    private var failure: (any Error)?
    private var whenConnected: CheckedContinuation<Void, Never>?
    private var messages: [MQTTMessage] = []
    private var paceBegan: ContinuousClock.Instant
    private var published = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: MQTTEventLoop) {
        self.loop = loop
        paceBegan = clock.now
    }

    /// Returns how long it took until all were accepted.
    func connect(
        _ count: Int, port: UInt16, keepAlive: Duration, tls: MQTTTLSConfiguration?
    ) async throws -> Duration {
        let begun = clock.now
        expected = count
        connections.reserveCapacity(count)
        var configuration = try MQTTConfiguration.bench(
            port: Int(port), number: 0, keepAlive: keepAlive)
        if let tls {
            configuration.security = .tls(tls)
            configuration.broker.usesTLS = true
        }
        try connectMore(configuration)
        await withCheckedContinuation { whenConnected = $0 }
        if let failure { throw failure }
        return clock.now - begun
    }

    /// Makes a few, and the next ones when the loop has had its turn with these.
    private func connectMore(_ base: MQTTConfiguration) throws {
        for number in connections.count..<min(expected, connections.count + Self.madeAtOnce) {
            let connection = MQTTConnection(
                configuration: try base.renumbered(number), eventLoop: loop, owner: self
            ) { fleet, event in
                fleet.handle(event)
            }
            connections.append(connection)
            connection.start()
        }
        guard connections.count < expected else { return }
        loop.execute { [weak self] in
            self?.assumeIsolated { $0.goOnConnecting(base) }
        }
    }

    private func goOnConnecting(_ base: MQTTConfiguration) {
        do {
            try connectMore(base)
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: any Error) {
        say("a connection failed: \(error)")
        failure = error
        whenConnected.take()?.resume()
    }

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected:
            connected += 1
            if connected == expected { whenConnected.take()?.resume() }
        case .disconnected(let error, _): failed(error)
        case .message, .skipped, .closed: break
        }
    }

    /// Publishes one message per client and interval from now on, evenly spread.
    func pace() throws {
        messages = try connections.indices.map { number in
            MQTTMessage(
                topic: try MQTTTopic("bench/fleet/\(number)"),
                payload: Array(repeating: 0, count: Self.payloadSize))
        }
        paceBegan = clock.now
        publishDue()
    }

    private func publishDue() {
        let step = Self.interval / connections.count
        while paceBegan + step * published <= clock.now {
            let index = published % connections.count
            connections[index].publish(messages[index])
            published += 1
        }
        let left = paceBegan + step * published - clock.now
        loop.schedule(after: left) { [weak self] in
            self?.assumeIsolated { $0.publishDue() }
        }
    }
}
