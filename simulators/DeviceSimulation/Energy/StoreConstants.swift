import Basics

/// The numbers that all models of energy store have in common.
enum StoreConstants {
    /// Cells in series: a pack of 51 V.
    static let cellCount = Rating(16, "1", .published("BYD LVS: 16 cells of 3.2 V"))
    /// Where an empty and a full store are in the charge of their cells: the battery management uses
    /// neither end, so that a cell at rest stays between 3.02 and 3.43 V.
    static let emptyCell = Rating(
        0.03, "1",
        .estimate("the deepest charge at which a cell under full power stays above 2.9 V"))
    static let fullCell = Rating(
        0.98, "1", .estimate("the highest charge at which a cell at rest is below 3.45 V"))
    /// The resistance to direct current of a cell of 100 Ah at 25 °C; it falls with the capacity.
    static let cellResistance = Rating(
        0.001, "Ω", .published("PyBaMM Thevenin example: DCIR of 100 Ah at 25 °C"))
    /// The share of it that acts at once; the rest follows with ``polarizationTime``.
    static let promptShare = Rating(0.4, "1", .published("PyBaMM Thevenin example: R0 40 %"))
    static let polarizationTime = Rating(30, "s", .published("PyBaMM Thevenin example: tau"))
    /// How the resistance rises in the cold: exp(Ea/R (1/T − 1/298 K)).
    static let activationEnergy = Rating(
        20_000, "J/mol", .published("PyBaMM Thevenin example: Ea"))
    /// From the lowest to the highest cell of a pack.
    static let cellSpread = Rating(
        0.004...0.012, "V", .estimate("balanced packs show 5 to 15 mV in the plateau"))

    /// What the cells lose by themselves in a day.
    static let selfDischarge = Rating(
        0.1, "%/d",
        .estimate("LFP cells lose 2 to 3 % in a month; SunSpec 802 DisChaRte has no example"))
    /// The charge at which a store off the grid stops.
    static let lowestPercent = Rating(10, "%", .published("Enphase TEB-00084: stops at SoC 10 %"))
    /// The charge down to which a store tries to start a dark home.
    static let blackStartPercent = Rating(
        2, "%", .published("Enphase TEB-00084: attempts while 2 to 10 %"))
    /// The charge below which a full store charges again.
    static let rechargePercent = Rating(98, "%", .published("bslib: SOC_h 0.98"))

    /// Where the discharge taper begins and where it ends, by the lowest cell.
    static let dischargeTaperFrom = Rating(
        3.1, "V", .published("OpenEMS FeneconHomeBatteryProtection64: 3100 mV 1.0"))
    static let dischargeTaperTo = Rating(
        2.9, "V", .published("OpenEMS FeneconHomeBatteryProtection64: 2900 mV 0"))
    /// The lowest cell below which, and the highest above which, the store raises its alarm.
    static let lowCell = Rating(
        3.0, "V", .published("OpenEMS FeneconHomeBatteryProtection52: 3000 mV leaves 0.1"))
    static let highCell = Rating(
        3.54, "V", .published("OpenEMS FeneconHomeBatteryProtection64: 3540 mV leaves 0.08"))

    /// The temperature at which a store is too hot, and at which it has cooled.
    static let hot = Rating(50, "°C", .published("BYD HVB: works up to +50 °C"))
    static let cooled = Rating(45, "°C", .estimate("5 K of hysteresis; the derating ends there"))
    /// The temperature at which a store is too cold, and at which it is warm enough.
    static let cold = Rating(-10, "°C", .published("BYD L3.5: derates from +12 to −10 °C"))
    static let warmed = Rating(-5, "°C", .estimate("5 K of hysteresis"))
    /// The temperatures at which the battery management opens the contactor, and closes it again.
    static let contactorOpens = Rating(60, "°C", .estimate("usual cut-off of LFP cells"))
    static let contactorCloses = Rating(50, "°C", .estimate("10 K of hysteresis"))

    /// What warms and cools it.
    static let mass = Rating(130, "kg", .estimate("a unit of 10 kWh with its housing"))
    static let specificHeat = Rating(1004, "J/(kg·K)", .published("NREL ssc: Cp of its test data"))
    static let surface = Rating(2.5, "m²", .estimate("a cabinet of 1.2 m on a wall"))
    static let heatTransfer = Rating(7.5, "W/(m²·K)", .estimate("still air; ssc has 20 with a fan"))

    /// How exactly the converter holds its setpoint, of its nominal power.
    static let powerAccuracy = Rating(0.003, "1", .estimate("the ripple of usual hybrid inverters"))
    /// The error of the meter in the store.
    static let meterError = Rating(-0.01...0.01, "1", .published("EN 50470-3 class B: 1 %"))

    /// How old a store is when it is first seen, and how much it worked before.
    static let age = Rating(30...1000, "d", .estimate("bought within the last three years"))
    static let cyclesPerYear = Rating(
        150...250, "1/a", .published("RWTH monitoring: 200 to 250 full cycles a year"))
    /// The charge and the temperature that its age is computed with.
    static let formerCharge = Rating(0.6, "1", .estimate("the mean of a year of self-consumption"))
    static let formerCelsius = Rating(25, "°C", .estimate("a store that works in a cellar"))
    /// The charge that it has when it is first seen.
    static let firstCharge = Rating(0.35...0.65, "1", .estimate("between empty and full"))

    /// All of them, as a model lists them.
    static var list: [(name: String, rating: Rating)] {
        [
            ("cellCount", cellCount), ("emptyCell", emptyCell), ("fullCell", fullCell),
            ("cellResistance", cellResistance), ("promptShare", promptShare),
            ("polarizationTime", polarizationTime), ("activationEnergy", activationEnergy),
            ("cellSpread", cellSpread), ("selfDischarge", selfDischarge),
            ("lowestCharge", lowestPercent), ("blackStartCharge", blackStartPercent),
            ("rechargeBelow", rechargePercent), ("dischargeTaperFrom", dischargeTaperFrom),
            ("dischargeTaperTo", dischargeTaperTo), ("lowCell", lowCell), ("highCell", highCell),
            ("hot", hot), ("cooled", cooled), ("cold", cold), ("warmed", warmed),
            ("contactorOpens", contactorOpens), ("contactorCloses", contactorCloses),
            ("mass", mass), ("specificHeat", specificHeat), ("surface", surface),
            ("heatTransfer", heatTransfer), ("powerAccuracy", powerAccuracy),
            ("meterError", meterError), ("age", age), ("cyclesPerYear", cyclesPerYear),
            ("formerCharge", formerCharge), ("formerTemperature", formerCelsius),
            ("firstCharge", firstCharge),
        ]
    }
}

extension Rating {
    /// The value of one device: drawn from the range, where there is one.
    func drawn(using generator: inout SeededGenerator) -> Double {
        range.map { generator.uniform(in: $0) } ?? value
    }
}
