import Histogram
import MQTTClient

/// Sends a request for every response, so that as many are under way as it is told.
actor Requester {
    /// What was seen.
    struct Trips {
        var histogram = Histogram<UInt64>(
            highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        var rate = 0.0

        func microseconds(at percentile: Double) -> Double {
            Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
    }

    private static let payloadSize = 64

    private let client: MQTTClient
    private let loop: MQTTEventLoop
    private let clock = ContinuousClock()
    private var sent: [ContinuousClock.Instant] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(client: MQTTClient, loop: MQTTEventLoop) {
        self.client = client
        self.loop = loop
    }

    func run(
        concurrent: Int, count: Int, whenReady: () -> Void
    ) async throws -> Trips {
        let responses = try await client.subscribe(
            to: [MQTTSubscriptionRequest(try MQTTTopicFilter("bench/response"))])
        let topic = try MQTTTopic("bench/request")
        whenReady()
        sent.reserveCapacity(count)
        var trips = Trips()
        let begun = clock.now
        for _ in 0..<concurrent { await ask(topic) }
        var received = 0
        for try await response in responses {
            let now = clock.now
            received += 1
            trips.histogram.record(try nanoseconds(of: response, at: now))
            if received == count {
                trips.rate = Double(count) / (now - begun).inSeconds
                return trips
            }
            if sent.count < count { await ask(topic) }
        }
        throw BenchError(description: "the responses ended early")
    }

    private func ask(_ topic: MQTTTopic) async {
        var payload = [UInt8](repeating: 0, count: Self.payloadSize)
        let number = UInt32(sent.count)
        for index in 0..<4 { payload[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        sent.append(clock.now)
        await client.publishWithoutWaiting(MQTTMessage(topic: topic, payload: payload))
    }

    private func nanoseconds(
        of response: MQTTMessage, at now: ContinuousClock.Instant
    ) throws -> UInt64 {
        let number = response.payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard number < sent.count else { throw BenchError(description: "an unknown response") }
        return UInt64((now - sent[number]).inSeconds * 1e9)
    }
}
