import Fleet
import LocalBroker
import ServiceLifecycle

/// A service with a short description: a group keeps that of each service as text, and by itself a fleet
/// describes every device of its plan.
struct DescribedService: Service, CustomStringConvertible {
    private let service: any Service

    init(_ service: any Service) { self.service = service }

    var description: String { "\(type(of: service))" }

    func run() async throws { try await service.run() }
}

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
