/// What the invariants compare of a device from one instant to the next: numbers of its world, before they are
/// rounded for a report.
package struct DeviceLook: Hashable, Sendable {
    /// Where its body is; `nil` for a device that does not move.
    var body: Body?
    /// What its battery holds; `nil` without one.
    var charge: Charge?
    /// Numbers that never fall; those that a device does not have are 0.
    var totals = SIMD2<Double>(repeating: 0)
    /// A number that never falls within a period.
    var partial = 0.0
    /// The period of ``partial``.
    var period = 0

    /// A body in a room or in a pool.
    struct Body: Hashable, Sendable {
        /// Metres east and north, on the plan of its floor or pool.
        var position: PlanPoint
        /// Where it looks, in degrees clockwise from north.
        var headingDeg: Double
        /// How deep it is, in m; 0 on a floor.
        var depthM = 0.0
        /// How far it is tilted, in degrees.
        var tiltDeg = 0.0
        /// Whether somebody has it in hand, or may carry it.
        var isHeld: Bool
        /// Whether its motors are off.
        var isAtRest: Bool
        /// Whether it is where it stays by itself: one that is not sinks, and is wrong if it hangs where it was.
        var isSettled = true
        /// How it can move.
        var limits: MotionLimits
    }

    /// A battery.
    struct Charge: Hashable, Sendable {
        /// What it holds, in Wh.
        var energyWh: Double
        /// Whether something charges it.
        var mayRise: Bool
    }
}

/// How fast a body can move.
struct MotionLimits: Hashable, Sendable {
    /// In m/s.
    let speed: Double
    /// How fast it turns, in degrees per second.
    let turnRate: Double
    /// How fast it sinks or comes up, in m/s.
    var depthRate = 0.0
    /// How fast it tilts, in degrees per second.
    var tiltRate = 0.0
    /// Whether it moves at whole seconds of the world clock only.
    var isStepwise = false
}
