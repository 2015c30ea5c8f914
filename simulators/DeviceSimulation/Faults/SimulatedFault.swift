/// The faults that simulated devices can have: a closed set, so that whoever handles them handles each.
package enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    /// The connection is lost without a goodbye.
    case offline
    /// Commands arrive, and no ack leaves.
    case mute
    /// Acks leave late.
    case slow
    /// Acks leave twice.
    case duplicateAcks = "duplicate-acks"
    /// Acks leave after a time that is drawn for each of them.
    case lateAcks = "late-acks"
    /// Acks are lost.
    case dropAcks = "drop-acks"
    /// Messages leave after the next one of their sort.
    case reorder
    /// Former messages leave once more.
    case replay
    /// Payloads end too early.
    case truncate
    /// A member of a payload has another type.
    case wrongPayload = "wrong-payload"
    /// The state is never updated.
    case frozenState = "frozen-state"
    /// The state has an error that no table has.
    case unknownError = "unknown-error"
    /// The clock is wrong by a constant time.
    case clockOffset = "clock-offset"
    /// The clock is too fast or too slow.
    case clockDrift = "clock-drift"
    /// The clock jumps forth and back.
    case clockStep = "clock-step"
    /// The device starts anew again and again.
    case rebootLoop = "reboot-loop"
    /// The battery of a robot is dead.
    case batteryDead = "battery-dead"
    /// Sensors show always the same.
    case sensorStuck = "sensor-stuck"
    /// Sensors are noisy.
    case sensorNoise = "sensor-noise"
    /// Sensors drift away.
    case sensorDrift = "sensor-drift"
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
    /// A sweeping robot's side brush does not turn.
    case sideBrushBlocked = "side-brush-blocked"
    /// A sweeping robot's bumper is pressed in.
    case bumperStuck = "bumper-stuck"
    /// A sweeping robot's laser does not turn.
    case lidarBlocked = "lidar-blocked"
    /// A sweeping robot stands at an edge.
    case cliff
    /// A sweeping robot finds no way.
    case trapped
    /// A sweeping robot has no dustbin.
    case binMissing = "bin-missing"
    /// A sweeping robot's filter is clogged.
    case filterBlocked = "filter-blocked"
    /// A sweeping robot does not find its dock.
    case dockNotFound = "dock-not-found"
    /// A sweeping robot's dock has no power.
    case dockNoPower = "dock-no-power"
    /// A sweeping robot's battery is too hot or too cold.
    case batteryTemperature = "battery-temperature"
    /// A pool robot stands beside the pool.
    case outOfWater = "out-of-water"
    /// An energy store is too hot for its full power.
    case overTemperature = "over-temperature"
    /// The home of an energy store has no grid.
    case gridOutage = "grid-outage"
    /// The meter of an energy store's home does not answer.
    case meterLost = "meter-lost"
    /// The network resets the connection.
    case reset
    /// The network lets nothing through, in either direction.
    case blackhole
    /// The broker's side of the connection is gone, and the device does not hear of it.
    case halfOpen = "half-open"
    /// The network is slow.
    case slowLink = "slow-link"
    /// The way to the broker and back takes long.
    case latency
    /// The network loses packets.
    case loss
    /// Another client uses the id of the device.
    case takeover
}

extension SimulatedFault: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
