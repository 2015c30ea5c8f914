package import DeviceDomain

/// The clocks of a device at one moment; injected with every input, because a device has none.
package struct DeviceMoment: Hashable, Sendable {
    /// Wall time: stamps commands, acks and presence and decides expiry (PROTOCOL section 2).
    package let wire: Timestamp
    /// Simulated time: stamps state, telemetry and events, and drives the physics.
    package let world: Timestamp
    /// A clock that never jumps and has no defined zero. Every wait is measured by it.
    package let monotonic: Duration
    /// World seconds per second of the monotonic clock; 0 while the world stands still.
    package let pace: Double

    package init(wire: Timestamp, world: Timestamp, monotonic: Duration, pace: Double = 1) {
        self.wire = wire
        self.world = world
        self.monotonic = monotonic
        self.pace = pace
    }

    /// This moment, with the world clock at an instant that has passed: what is done now takes effect there.
    package func showing(_ instant: Timestamp) -> DeviceMoment {
        DeviceMoment(wire: wire, world: instant, monotonic: monotonic, pace: pace)
    }

    /// When the world clock will show `instant`, by the monotonic clock; `nil` while it stands still.
    func monotonic(at instant: Timestamp) -> Duration? {
        guard pace > 0 else { return nil }
        return monotonic + max(instant.since(world), .zero) / pace
    }
}
