import Basics

/// How far a battery has aged: by time, and by what it discharged.
struct BatteryAge: Hashable, Sendable {
    /// The square of what time has taken, of the capacity: it grows evenly.
    private(set) var calendarSquare: Double
    /// What discharging has taken, of the capacity.
    private(set) var cycleFade: Double
    /// The full cycles that what was discharged makes.
    private(set) var equivalentCycles: Double
    /// The charge from which it discharges at present, 0…1.
    private var peak: Double
    /// The charge at the last step, 0…1.
    private var last: Double

    /// What is left of the capacity, 0…1: the lesser of both, as in NREL's ssc.
    var health: Double {
        max(0, min(1, 1.02 - calendarSquare.squareRoot(), 1 - cycleFade))
    }

    /// A new battery.
    init() {
        (calendarSquare, cycleFade, equivalentCycles) = (0, 0, 0)
        (peak, last) = (0, 0)
    }

    /// A battery that has worked for some years before.
    init(of system: StorageSystem, using generator: inout SeededGenerator) {
        let days = system.own.age.drawn(using: &generator)
        equivalentCycles = system.own.cyclesPerYear.drawn(using: &generator) * days / 365
        calendarSquare =
            days
            * Self.calendarRate(
                kelvin: StoreConstants.formerCelsius.value + 273.15,
                charge: StoreConstants.formerCharge.value)
        cycleFade = equivalentCycles * Self.cycleRate(depth: 0.6)
        (peak, last) = (0, 0)
    }

    /// Takes up what was recorded.
    mutating func restore(calendarSquare: Double, cycleFade: Double, equivalentCycles: Double) {
        self.calendarSquare = calendarSquare
        self.cycleFade = cycleFade
        self.equivalentCycles = equivalentCycles
    }

    /// Time goes on.
    /// - Parameters:
    ///   - discharged: what the cells gave in it, as a share of the capacity of a new battery.
    ///   - charge: at its end, 0…1.
    mutating func advance(days: Double, kelvin: Double, charge: Double, discharged: Double) {
        calendarSquare += days * Self.calendarRate(kelvin: kelvin, charge: charge)
        if charge > last { peak = charge }
        last = charge
        cycleFade += discharged * Self.marginalRate(depth: max(0, peak - charge))
        equivalentCycles += discharged
    }

    /// What a day adds to ``calendarSquare`` (calendar ageing of NREL's SAM, `lib_battery.cpp`: what
    /// is left after some days is 1.02 − k √days, and this is k²).
    static func calendarRate(kelvin: Double, charge: Double) -> Double {
        let rate =
            0.00266 * Mathematics.exponential(-7280 * (1 / kelvin - 1 / 296))
            * Mathematics.exponential(930 * (charge / kelvin - 1 / 296))
        return rate * rate
    }

    /// What a full cycle takes when it is made of discharges of one depth: a line through two points of
    /// the table of NREL's ssc, 5000 cycles of 20 % and 1000 of 80 % until a fifth is gone.
    static func cycleRate(depth: Double) -> Double { intercept + slope * depth }

    // The derivative of depth · rate(depth): what the next bit of a discharge takes that has come so deep.
    private static func marginalRate(depth: Double) -> Double { intercept + 2 * slope * depth }

    private static let shallow = (depth: 0.2, rate: 0.2 / 5000 / 0.2)
    private static let deep = (depth: 0.8, rate: 0.2 / 1000 / 0.8)
    private static let slope = (deep.rate - shallow.rate) / (deep.depth - shallow.depth)
    private static let intercept = shallow.rate - slope * shallow.depth
}
