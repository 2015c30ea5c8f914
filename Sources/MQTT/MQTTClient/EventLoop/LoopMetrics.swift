internal import CoreMetrics

/// Reports the metrics of an event loop, summed over its connections. It exists only if there is a metrics
/// backend; without one the loop pays one comparison with nil.
///
/// Every metric has the label `loop`; the article Observability lists them.
final class LoopMetrics {
    /// The sum over the connections of a loop at one moment.
    struct Sample: Equatable {
        var connections = 0
        var inFlight = 0
        var queued = 0
        /// How long the oldest queued message has waited, nanoseconds.
        var queueAge: UInt64 = 0
    }

    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]
    private let connects: Counter
    private let acknowledgement: Timer
    private let connections: Gauge
    private let inFlight: Gauge
    private let queued: Gauge
    private let queueAge: Gauge
    private var reconnects: [MQTTError.Code: Counter] = [:]
    private var stops: [MQTTError.Code: Counter] = [:]
    private var drops: [MQTTDropReason: Counter] = [:]

    /// Nil if the factory makes nothing.
    init?(loop: String, factory: any MetricsFactory) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        let dimensions = [("loop", loop)]
        self.factory = factory
        self.dimensions = dimensions
        connects = Counter(
            label: "mqtt_client_connects_total", dimensions: dimensions, factory: factory)
        acknowledgement = Timer(
            label: "mqtt_client_ack_latency", dimensions: dimensions, factory: factory)
        func gauge(_ label: String) -> Gauge {
            Gauge(label: label, dimensions: dimensions, factory: factory)
        }
        connections = gauge("mqtt_client_connections")
        inFlight = gauge("mqtt_client_in_flight_messages")
        queued = gauge("mqtt_client_queued_messages")
        queueAge = gauge("mqtt_client_queue_age_seconds")
    }

    /// A broker accepted a connection.
    func connected() {
        connects.increment()
    }

    /// A connection or an attempt failed, and there will be another attempt.
    func willReconnect(after error: MQTTError) {
        counter(\.reconnects, error.code, "mqtt_client_reconnects_total", error.code.rawValue)
            .increment()
    }

    /// A connection failed for good.
    func stopped(by error: MQTTError) {
        counter(\.stops, error.code, "mqtt_client_stops_total", error.code.rawValue).increment()
    }

    func dropped(_ count: Int, _ reason: MQTTDropReason) {
        counter(\.drops, reason, "mqtt_client_dropped_messages_total", reason.rawValue)
            .increment(by: count)
    }

    /// The broker acknowledged a message this many nanoseconds after it was written to the socket.
    func acknowledged(after nanoseconds: UInt64) {
        acknowledgement.recordNanoseconds(nanoseconds)
    }

    func record(_ sample: Sample) {
        connections.record(sample.connections)
        inFlight.record(sample.inFlight)
        queued.record(sample.queued)
        queueAge.record(Double(sample.queueAge) / 1e9)
    }

    private func counter<Key: Hashable>(
        _ counters: ReferenceWritableKeyPath<LoopMetrics, [Key: Counter]>, _ key: Key,
        _ label: String, _ reason: String
    ) -> Counter {
        if let counter = self[keyPath: counters][key] { return counter }
        let counter = Counter(
            label: label, dimensions: dimensions + [("reason", reason)], factory: factory)
        self[keyPath: counters][key] = counter
        return counter
    }
}
