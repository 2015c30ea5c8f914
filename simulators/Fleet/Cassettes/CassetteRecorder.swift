import DeviceDomain
import DeviceSimulation
package import MQTTClient

/// Records the messages of a broker.
package struct CassetteRecorder: Sendable {
    /// Messages that wait for the file at most, before the broker is slowed down.
    private static let waitingMessages = 10_000

    /// What a recording came to.
    package struct Outcome: Hashable, Sendable {
        /// Messages on the cassette.
        package internal(set) var messages = 0
        /// Messages that came faster than they could be written, and are missing.
        package internal(set) var missing = 0
    }

    private let client: CassetteClient
    private let filters: [MQTTTopicFilter]

    /// - Parameter filters: which topics are recorded; at least one.
    package init(_ client: CassetteClient, of filters: [MQTTTopicFilter]) {
        self.client = client
        self.filters = filters
    }

    /// Records until the task is cancelled.
    /// - Parameters:
    ///   - begun: is called once everything that follows will be recorded.
    ///   - write: takes a line without its end.
    /// - Throws: ``FleetError`` where there is no usable connection; what `write` throws.
    package func record(
        begun: () -> Void, writing write: ([UInt8]) throws -> Void
    ) async throws -> Outcome {
        try await client.connected(as: "record") { client in
            let requests = filters.map {
                MQTTSubscriptionRequest($0, qos: .exactlyOnce, retainAsPublished: true)
            }
            let clock = ContinuousClock()
            let start = clock.now
            try write(CassetteHead(startedAt: FleetClock.system().now.wire).bytes)
            let messages = try await client.subscribe(
                to: requests, buffering: .suspend(Self.waitingMessages))
            begun()
            var outcome = Outcome()
            for try await message in messages {
                let offset = start.duration(to: clock.now).wholeMilliseconds
                try write(CassetteEntry(offset: offset, message: message).bytes)
                outcome.messages += 1
            }
            outcome.missing = messages.droppedMessages
            return outcome
        }
    }
}
