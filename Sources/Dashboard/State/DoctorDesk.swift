internal import DeviceDomain
internal import Homeport

/// Runs the checks of the set-up when somebody asks for them, one run at a time.
@MainActor
final class DoctorDesk {
    /// How the checks stand.
    enum Status: Sendable {
        /// Nobody has asked.
        case idle
        /// They run.
        case running
        /// They ended at a moment.
        case done([Finding], at: Timestamp)
    }

    @Tracked private(set) var status = Status.idle
    private let doctor: @Sendable () async -> [Finding]
    private let orders: AsyncStream<Void>
    private let order: AsyncStream<Void>.Continuation

    init(_ doctor: @escaping @Sendable () async -> [Finding]) {
        self.doctor = doctor
        (orders, order) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Somebody asks for the checks; while they run that changes nothing.
    func checkButtonTapped() {
        if case .running = status { return }
        status = .running
        order.yield()
    }

    /// Runs what is asked for until the task is cancelled.
    func run() async {
        for await _ in orders {
            let findings = await doctor()
            status = .done(findings, at: MachineClock.wallTime)
        }
    }
}
