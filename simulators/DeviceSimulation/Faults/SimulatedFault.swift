/// The faults that simulated devices can have: a closed set, so that whoever handles them handles each.
package enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    /// The connection is lost without a goodbye.
    case offline
    /// Commands arrive, and no ack leaves.
    case mute
    /// Acks leave late.
    case slow
    /// A part of the device is defective.
    case hardwareFault = "hardware-fault"
    /// The device starts anew.
    case reboot
    /// The device cannot move.
    case stuck
    /// A sweeping robot's battery holds little.
    case lowBattery = "low-battery"
    /// A sweeping robot's main brush does not turn.
    case brushBlocked = "brush-blocked"
    /// A sweeping robot's dustbin is full.
    case binFull = "bin-full"
    /// A pool robot stands beside the pool.
    case outOfWater = "out-of-water"
    /// An energy store is too hot for its full power.
    case overTemperature = "over-temperature"
    /// The home of an energy store has no grid.
    case gridOutage = "grid-outage"
}

extension SimulatedFault: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
