import CoreMetrics
import MetricsTestKit
import TestSupport
import Testing

@testable import MQTTClient

/// What an event loop reports to a metrics backend.
@Suite(.timeLimit(.minutes(1)))
struct MetricsTests {
    private let metrics = TestMetrics()

    @Test func connectionsAndAcknowledgementsAreReported() async throws {
        try await withBroker { broker in
            try await withMeasuredClient(broker.port) { client in
                for _ in 0..<3 { try await client.publish(.test("a")) }
                try await client.publish(.test("a", qos: .atMostOnce))
                #expect(try counter("mqtt_client_connects_total") == 1)
                let latencies = try metrics.expectTimer("mqtt_client_ack_latency", loop).values
                #expect(latencies.count == 3)
                await sample(client.eventLoop)
                #expect(try gauge("mqtt_client_connections") == 1)
                #expect(try gauge("mqtt_client_in_flight_messages") == 0)
            }
        }
    }

    @Test func theLatencyIsTheTimeThatTheBrokerTook() async throws {
        try await withFakeBroker { broker in
            try await withMeasuredClient(broker.port) { client in
                client.eventLoop.schedule(after: .milliseconds(300)) { broker.proceed() }
                try await client.publish(.test("a"))
                let latency = try #require(
                    metrics.expectTimer("mqtt_client_ack_latency", loop).lastValue)
                #expect(Duration.nanoseconds(latency) >= .milliseconds(200))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let publish = try peer.read(.publish)
            try broker.awaitProceed()
            try peer.send(.puback(publish.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func whatIsUnderWayIsReported() async throws {
        try await withFakeBroker { broker in
            try await withMeasuredClient(broker.port, configure: { $0.sendMaximum = 1 }) { client in
                for number in 1...4 {
                    await client.publishWithoutWaiting(try .test("a/\(number)"))
                }
                await broker.signalled()
                await sample(client.eventLoop)
                #expect(try gauge("mqtt_client_in_flight_messages") == 1)
                #expect(try gauge("mqtt_client_queued_messages") == 3)
                #expect(try gauge("mqtt_client_queue_age_seconds") > 0)
                await client.disconnect(drainingFor: .zero)
                #expect(try counter("mqtt_client_dropped_messages_total", "unanswered") == 4)
                await sample(client.eventLoop)
                #expect(try gauge("mqtt_client_connections") == 0)
                #expect(try gauge("mqtt_client_in_flight_messages") == 0)
                #expect(try gauge("mqtt_client_queued_messages") == 0)
                #expect(try gauge("mqtt_client_queue_age_seconds") == 0)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func reconnectsAreReportedByReason() async throws {
        try await withFakeBroker { broker in
            try await withMeasuredClient(broker.port) { client in
                try await client.publish(.test("a", qos: .atMostOnce))
                await client.reached { if case .disconnected(_, nil) = $0 { true } else { false } }
                #expect(try counter("mqtt_client_reconnects_total", "connection-lost") == 2)
                #expect(try counter("mqtt_client_stops_total", "session-taken-over") == 1)
                #expect(try counter("mqtt_client_connects_total") == 3)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.publish)
            first.cut()
            try broker.acceptConnected().cut()
            let last = try broker.acceptConnected()
            try last.send(.disconnect(0x8E))
            _ = last.readToEnd()
        }
    }

    @Test func dropsAreReportedByReason() async throws {
        try await withFakeBroker { broker in
            try await withMeasuredClient(broker.port) { client in
                let subscription = try await client.subscribe(
                    to: [.test("a")], buffering: .dropNewest(1))
                #expect(try await client.publish(.test("end")) == .success)
                #expect(subscription.droppedMessages == 2)
                #expect(try counter("mqtt_client_dropped_messages_total", "buffer-overflow") == 2)
                #expect(try counter("mqtt_client_dropped_messages_total", "unmatched") == 1)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            for topic in ["a", "a", "b", "a"] { try peer.send(.publish(.v5, topic: topic)) }
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func theBackendOfTheTaskIsUsedAndNoneCostsNothing() async throws {
        let loop = try withMetricsFactory(metrics) { try MQTTEventLoop(label: "scoped") }
        await sample(loop)
        #expect(metrics.recorders.contains { $0.dimensions.contains { $0 == ("loop", "scoped") } })
        await loop.shutdown()
        try await withLoop { loop in
            let hasMetrics = await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: loop.core.metrics != nil) }
            }
            #expect(!hasMetrics)
        }
    }

    // MARK: Reading the backend

    private var loop: [(String, String)] { [("loop", "measured")] }

    private func counter(_ label: String, _ reason: String? = nil) throws -> Int64 {
        let reasons = reason.map { [("reason", $0)] } ?? []
        return try metrics.expectCounter(label, loop + reasons).totalValue
    }

    private func gauge(_ label: String) throws -> Double {
        try #require(metrics.expectRecorder(label, loop).lastValue)
    }

    private func sample(_ loop: MQTTEventLoop) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                loop.core.recordSample()
                continuation.resume()
            }
        }
    }

    private func withMeasuredClient(
        _ port: UInt16, configure: (inout MQTTConfiguration) -> Void = { _ in },
        _ body: (MQTTClient) async throws -> Void
    ) async throws {
        let loop = try MQTTEventLoop(label: "measured", metricsFactory: metrics)
        var configuration = try MQTTConfiguration.test(port)
        configuration.reconnect.initial = .milliseconds(1)
        configure(&configuration)
        do {
            try await MQTTClient.withConnection(
                configuration: configuration, eventLoop: loop, body)
            await loop.shutdown()
        } catch {
            await loop.shutdown()
            throw error
        }
    }
}
