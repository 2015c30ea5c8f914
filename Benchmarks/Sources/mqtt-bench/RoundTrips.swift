import Histogram
import MQTTClient

/// Requests by number, and how long their responses took.
struct RoundTrips {
    private static let payloadSize = 64

    private let topic: MQTTTopic
    private let clock = ContinuousClock()
    private var sent: [ContinuousClock.Instant] = []
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)

    init(topic: MQTTTopic, count: Int) {
        self.topic = topic
        sent.reserveCapacity(count)
    }

    var requestCount: Int { sent.count }

    /// The next request, whose time runs from now.
    mutating func request() -> MQTTMessage {
        var payload = [UInt8](repeating: 0, count: Self.payloadSize)
        let number = UInt32(sent.count)
        for index in 0..<4 { payload[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        sent.append(clock.now)
        return MQTTMessage(topic: topic, payload: payload)
    }

    /// Ends the time of the request that this answers.
    mutating func record(_ response: MQTTMessage) throws {
        let now = clock.now
        let number = response.payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard number < sent.count else { throw BenchError(description: "an unknown response") }
        histogram.record(UInt64((now - sent[number]).inSeconds * 1e9))
    }

    func microseconds(at percentile: Double) -> Double {
        Double(histogram.valueAtPercentile(percentile)) / 1_000
    }
}
