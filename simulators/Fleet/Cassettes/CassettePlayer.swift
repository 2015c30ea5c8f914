import DeviceDomain
import DeviceSimulation
import MQTTClient

/// Publishes what a cassette has.
package struct CassettePlayer: Sendable {
    /// How many messages that are due are handed to the connection at once.
    private static let batch = 500

    /// What playing came to.
    package struct Outcome: Hashable, Sendable {
        /// Messages that the broker took.
        package internal(set) var messages = 0
        /// Messages that it did not take.
        package internal(set) var refused = 0
        /// Why it did not take the first of these.
        package internal(set) var reason: String?
    }

    private let client: CassetteClient
    /// Recorded seconds per second; `nil` for as fast as the broker takes them.
    private let speed: Double?
    private let movesStamps: Bool

    /// - Parameters:
    ///   - speed: recorded seconds per second, above 0; `nil` for as fast as the broker takes them.
    ///   - restamping: whether integer members named `at` are moved.
    package init(_ client: CassetteClient, speed: Double?, restamping: Bool) {
        self.client = client
        self.speed = speed
        movesStamps = restamping
    }

    /// Plays to the end, or until the task is cancelled.
    /// - Parameters:
    ///   - head: the first line.
    ///   - next: gives one message after the other; `nil` at the end.
    /// - Throws: ``FleetError`` where there is no usable connection, or it is lost; what `next` throws.
    package func play(
        _ head: CassetteHead, _ next: () throws -> CassetteEntry?
    ) async throws -> Outcome {
        try await client.connected(as: "play") { client in
            let clock = ContinuousClock()
            let start = clock.now
            let restamping = Restamping(
                recordedAt: head.startedAt, playedAt: FleetClock.system().now.wire,
                speed: speed ?? 1)
            var outcome = Outcome()
            var batch: [MQTTMessage] = []
            while let entry = try next(), !Task.isCancelled {
                let wait = speed.map { start.advanced(by: .milliseconds(entry.offset) / $0) }
                if let wait, wait > clock.now {
                    try await publish(&batch, over: client, &outcome)
                    do { try await clock.sleep(until: wait) } catch { break }
                }
                var message = entry.message
                if movesStamps { message.payload = restamping.restamped(message.payload) }
                batch.append(message)
                if batch.count == Self.batch { try await publish(&batch, over: client, &outcome) }
            }
            try await publish(&batch, over: client, &outcome)
            return outcome
        }
    }

    private func publish(
        _ batch: inout [MQTTMessage], over client: MQTTClient, _ outcome: inout Outcome
    ) async throws(FleetError) {
        guard !batch.isEmpty else { return }
        defer { batch = [] }
        do throws(MQTTError) {
            for result in try await client.publish(contentsOf: batch) {
                outcome.note(result)
            }
        } catch { throw FleetError(.brokerUnreachable, "the broker was lost: \(error.message)") }
    }
}

extension CassettePlayer.Outcome {
    fileprivate mutating func note(_ result: Result<MQTTReasonCode, MQTTError>) {
        switch result {
        case .success(let code) where code.isError:
            refused += 1
            reason = reason ?? "\(code)"
        case .success: messages += 1
        case .failure(let error):
            refused += 1
            reason = reason ?? error.message
        }
    }
}
