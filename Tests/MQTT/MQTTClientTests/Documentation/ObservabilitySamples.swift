import CoreMetrics
import Instrumentation
import Logging
import MQTTClient

/// The code in Observability, run by ``SampleRunTests``.
enum ObservabilitySamples {
    static func metrics(_ backend: any MetricsFactory) throws -> MQTTEventLoop {
        // sample: metrics
        let eventLoop = try MQTTEventLoop(label: "fleet", metricsFactory: backend)
        // end sample
        return eventLoop
    }

    static func context(
        _ client: MQTTClient, _ subscription: MQTTSubscription,
        handle: (MQTTMessage) async throws -> Void
    ) async throws {
        // sample: trace context
        for try await message in subscription {
            try await ServiceContext.withValue(message.serviceContext()) {
                try await handle(message)
            }
        }
        // end sample
    }
}
