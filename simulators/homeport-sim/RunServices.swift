import Fleet
import LocalBroker
import ServiceLifecycle

/// Ends the run once its time is over.
struct Deadline: Service {
    /// How long the run takes.
    let duration: Duration
    /// When its world began (monotonic clock).
    let start: Duration
    let clock: FleetClock

    func run() async throws {
        let rest = max(start + duration - clock.monotonicTime, .zero)
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: rest) }
        } catch is CancellationError {
            return
        }
    }
}

/// Ends the run with an error if the private broker ends before it.
struct PrivateBrokerWatch: Service {
    let broker: RunningBroker

    func run() async throws {
        for await lines in broker.unexpectedEnd.cancelOnGracefulShutdown() {
            throw PrivateBrokerEnded(lines: lines)
        }
        try await gracefulShutdown()
    }
}

/// The private broker ended during the run.
struct PrivateBrokerEnded: Error, CustomStringConvertible {
    let lines: [String]

    var description: String {
        let words = lines.isEmpty ? "it said nothing" : "it said: " + lines.joined(separator: " / ")
        return "the private broker ended; \(words)"
    }
}
