/// Something that holds in every home at every instant, whatever people and faults do to it.
package struct Invariant: Hashable, Sendable {
    /// Its name in reports and metrics.
    package let name: String
    /// What it checks.
    package let statement: String
    /// How far from it the world may be, and why.
    package let tolerance: Rating

    /// In each home: grid + roof = load + what the stores take; no grid off the grid, nothing in the dark.
    package static let homeEnergyBalance = Invariant(
        name: "home-energy-balance",
        statement: "grid + roof = load + stores; off the grid nothing comes from it",
        tolerance: Rating(1e-6, "W", .estimate("rounding of sums of up to 100 kW")))
    /// In each store: what its cells gain is what they took, less their self-discharge; a converter loses.
    package static let storeEnergyBalance = Invariant(
        name: "store-energy-balance",
        statement: "cells gain what they take; a converter gives no more than it takes",
        tolerance: Rating(1e-6, "Wh", .estimate("rounding of counters of up to 100 MWh")))
    /// What a device counts never falls.
    package static let countersNeverFall = Invariant(
        name: "counters-never-fall", statement: "what a device counts never falls",
        tolerance: Rating(0, "1", .estimate("counters are only added to")))
    /// The charge of a robot rises at its dock or charger alone, and while that has power.
    package static let noChargeOffDock = Invariant(
        name: "no-charge-off-dock", statement: "a robot is charged at a dock with power only",
        tolerance: Rating(0, "Wh", .estimate("a battery is only drained elsewhere")))
    /// A body is in no wall and no furniture, nor outside of the floor or the pool.
    package static let freeSpace = Invariant(
        name: "free-space", statement: "a robot's body touches no wall and no furniture",
        tolerance: Rating(1e-6, "m", .estimate("rounding; ways are planned with 1 mm to spare")))
    /// Robots on one floor do not touch each other.
    package static let robotsApart = Invariant(
        name: "robots-apart", statement: "robots of a home do not touch each other",
        tolerance: Rating(0.001, "m", .estimate("ways are kept to the millimetre")))
    /// A robot moves no faster than it can.
    package static let noJump = Invariant(
        name: "no-jump", statement: "a robot moves and turns no faster than it can",
        tolerance: Rating(0.0015, "m", .estimate("ways are kept to the millimetre")))
    /// What the state says and what the telemetry shows come from one world.
    package static let noContradiction = Invariant(
        name: "no-contradiction", statement: "state and telemetry do not contradict each other",
        tolerance: Rating(0.002, "m", .estimate("places at a dock are kept to the millimetre")))
    /// Charge, health and cell voltages are within the limits of the models.
    package static let withinLimits = Invariant(
        name: "within-limits", statement: "charge, health and cells of stores are within limits",
        tolerance: Rating(
            0.1, "V", .estimate("a cell under full power sags beyond where its taper ends")))

    /// All of them, in the order of reports.
    package static let all = [
        homeEnergyBalance, storeEnergyBalance, countersNeverFall, noChargeOffDock, freeSpace,
        robotsApart, noJump, noContradiction, withinLimits,
    ]
}

/// An invariant, and how it is checked from one instant to the next.
struct InvariantCheck<Step>: Sendable {
    /// What holds.
    let invariant: Invariant
    /// What does not hold, for people; `nil` where all is well.
    let finding: @Sendable (Step) -> String?

    init(_ invariant: Invariant, _ finding: @escaping @Sendable (Step) -> String?) {
        self.invariant = invariant
        self.finding = finding
    }
}

/// What was found at one instant.
struct InvariantFinding: Hashable, Sendable {
    /// What did not hold.
    let invariant: Invariant
    /// What was found instead.
    let text: String
}
