import Glibc
import Homeport

/// Samples of many devices as fast as they go.
struct TelemetryFlood {
    private let port: Int
    private let devices: Int
    private let count: Int

    /// From `PORT DEVICES COUNT`.
    init(_ numbers: [Int]) {
        port = numbers[0]
        devices = numbers[1]
        count = numbers[2]
    }

    // MARK: Publishing

    /// Publishes the samples at QoS 0; the last one at QoS 1, so that the broker is known to have
    /// read all of them.
    func publish() async throws {
        let loop = try MQTTEventLoop(label: "home-bench")
        try await withTaskExecutorPreference(MQTTLoopTaskExecutor(loop)) {
            try await withClient(on: loop) { client in
                let messages = try (1...devices).map(sample(of:))
                say("ready")
                var sent = 0
                while sent < count {
                    var batch = (sent..<min(sent + 5_000, count)).map { messages[$0 % devices] }
                    sent += batch.count
                    if sent == count { batch[batch.count - 1].qos = .atLeastOnce }
                    _ = try await client.publish(contentsOf: batch)
                }
            }
        }
        await loop.shutdown()
    }

    private func sample(of number: Int) throws -> MQTTMessage {
        let device = try DeviceID("sweeper-\(number)")
        let sample = TelemetryMessage(
            device: device, boot: try BootID("b1"), at: Timestamp(milliseconds: 1_790_000_000_000),
            n: 1,
            values: [
                "battery": 76.4, "charging": false, "activity": "cleaning", "x": 3.25, "y": 1.5,
                "room": 2, "cleanedM2": 12.25, "dustBin": 31, "motorW": 28.5,
            ])
        return MQTTMessage(
            topic: try MQTTTopic("homeport/v1/home-1/\(device)/telemetry"),
            payload: sample.payload, qos: .atMostOnce)
    }

    // MARK: Reading

    /// Reads the samples as bytes.
    func readWithClient() async throws {
        let loop = try MQTTEventLoop(label: "home-bench")
        try await withClient(on: loop) { client in
            let subscription = try await client.subscribe(
                to: [
                    MQTTSubscriptionRequest(
                        try MQTTTopicFilter("homeport/v1/home-1/+/telemetry"), qos: .atMostOnce)
                ])
            say("ready")
            var watch = Stopwatch()
            for try await _ in subscription where watch.lap() == count { break }
            report("rate", watch.rate)
        }
        await loop.shutdown()
    }

    /// Reads the samples as changes of a home. What was passed over counts as read: the newest of
    /// each device always comes.
    func readWithHome() async throws {
        try await withHome("home-1", at: "mqtt://127.0.0.1:\(port)", ledger: .memory) { home in
            _ = try await home.survey()
            let changes = home.changes()
            say("ready")
            var watch = Stopwatch()
            for await change in changes {
                guard case .device(let change) = change, case .telemetry = change.content else {
                    continue
                }
                if watch.lap() + changes.skippedCount >= count { break }
            }
            watch.add(changes.skippedCount)
            report("rate", watch.rate)
            report("passed-over", Double(changes.skippedCount) / Double(count))
        }
    }

    private func withClient(
        on loop: MQTTEventLoop, _ body: (MQTTClient) async throws -> Void
    ) async throws {
        let configuration = try MQTTConfiguration(
            broker: MQTTBrokerAddress(host: "127.0.0.1", port: UInt16(clamping: port)),
            clientID: MQTTClientID("bench-\(getpid())"), reconnect: .never)
        try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop, body)
    }
}

/// Counts what came since the first.
struct Stopwatch {
    private let clock = ContinuousClock()
    private var begun: ContinuousClock.Instant?
    private var ended: ContinuousClock.Instant?
    private var count = 0

    /// One more has come.
    /// - Returns: how many have come.
    mutating func lap() -> Int {
        let now = clock.now
        if begun == nil { begun = now }
        ended = now
        count += 1
        return count
    }

    /// So many more came meanwhile.
    mutating func add(_ more: Int) { count += more }

    /// How many came per second, the first one not counted.
    var rate: Double {
        guard let begun, let ended else { return 0 }
        let time = ended - begun
        let seconds =
            Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return Double(count - 1) / seconds
    }
}
