/// The time that an attempt measures and waits by.
public protocol ProvisioningClock: Sendable {
    /// Since an origin that holds for one process.
    var elapsed: Duration { get }
    /// Waits, or until the task is cancelled.
    func sleep(for time: Duration) async
}

/// The clock of the machine. Time in which it is suspended counts.
public struct ContinuousProvisioningClock: ProvisioningClock {
    private let clock = ContinuousClock()
    private let origin: ContinuousClock.Instant

    public init() { origin = clock.now }

    public var elapsed: Duration { origin.duration(to: clock.now) }

    public func sleep(for time: Duration) async {
        // Cancellation ends the wait.
        try? await clock.sleep(for: time)
    }
}
