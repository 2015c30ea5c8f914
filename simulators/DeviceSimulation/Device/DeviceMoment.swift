package import DeviceDomain

/// The clocks of a device at one moment; injected with every input, because a device has none.
package struct DeviceMoment: Hashable, Sendable {
    /// Wall time: stamps commands, acks and presence and decides expiry (PROTOCOL section 2).
    package let wire: Timestamp
    /// Simulated time: stamps state, telemetry and events, and drives the physics.
    package let world: Timestamp
    /// A clock that never jumps and has no defined zero. Every wait is measured by it.
    package let monotonic: Duration

    package init(wire: Timestamp, world: Timestamp, monotonic: Duration) {
        self.wire = wire
        self.world = world
        self.monotonic = monotonic
    }

    /// The moment at which the world clock showed `world`.
    func back(to world: Timestamp) -> DeviceMoment {
        let ago = self.world.since(world)
        return DeviceMoment(
            wire: wire.advanced(by: .zero - ago), world: world, monotonic: monotonic - ago)
    }
}
