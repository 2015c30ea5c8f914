import DeviceDomain

/// What is wrong with a store itself, each raised and cleared at levels of its own.
struct StoreAlarms: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is too hot for its full power.
    static let overTemperature = StoreAlarms(rawValue: 1)
    /// It is too cold to be charged.
    static let underTemperature = StoreAlarms(rawValue: 2)
    /// A cell is near the end of its voltages.
    static let cellVoltage = StoreAlarms(rawValue: 4)
    /// It has stopped, because its charge is too low.
    static let empty = StoreAlarms(rawValue: 8)
    /// The battery management has opened the contactor, because the cells are far too hot.
    static let contactorOpen = StoreAlarms(rawValue: 16)

    /// The codes on the wire (PROTOCOL section 5), in the order in which they are reported.
    private static let codes: [(alarm: StoreAlarms, code: String)] = [
        (.overTemperature, "over-temperature"), (.underTemperature, "under-temperature"),
        (.cellVoltage, "cell-voltage"), (.empty, "empty"), (.contactorOpen, "contactor-open"),
    ]

    /// The alarms of these codes; others are ignored.
    init(codes: [String]) {
        self = StoreAlarms(Self.codes.filter { codes.contains($0.code) }.map(\.alarm))
    }

    /// The codes on the wire.
    var codes: [String] {
        // Mostly there is none, and every input of a device asks.
        isEmpty ? [] : Self.codes.filter { contains($0.alarm) }.map(\.code)
    }

    /// Raises an alarm beyond one level and clears it beyond another; between them it stays.
    mutating func set(_ alarm: StoreAlarms, if isRaised: Bool, until isCleared: Bool) {
        if isRaised { insert(alarm) } else if isCleared { remove(alarm) }
    }

    /// Judges the temperature.
    mutating func judge(celsius: Double) {
        set(.overTemperature, if: celsius >= Self.hotC, until: celsius < Self.cooledC)
        set(.underTemperature, if: celsius <= Self.coldC, until: celsius > Self.warmedC)
        set(.contactorOpen, if: celsius >= Self.opensC, until: celsius < Self.closesC)
    }

    /// Judges the cells.
    mutating func judge(_ voltage: CellVoltage) {
        let (low, high) = (voltage.lowestV, voltage.highestV)
        set(
            .cellVoltage, if: low < Self.lowV || high > Self.highV,
            until: low > Self.lowV + Self.recoveryV && high < Self.highV - Self.recoveryV)
    }

    /// Judges the charge.
    /// - Parameter lowest: the charge at which the store stops, in percent.
    mutating func judge(percent: Double, lowest: Double) {
        set(
            .empty, if: percent <= lowest + Self.emptyMargin,
            until: percent > lowest + Self.emptyMargin + Self.refilled)
    }

    // Plain numbers, because they are compared in each second of the world.
    private static let hotC = StoreConstants.hot.value
    private static let cooledC = StoreConstants.cooled.value
    private static let coldC = StoreConstants.cold.value
    private static let warmedC = StoreConstants.warmed.value
    private static let opensC = StoreConstants.contactorOpens.value
    private static let closesC = StoreConstants.contactorCloses.value
    private static let lowV = StoreConstants.lowCell.value
    private static let highV = StoreConstants.highCell.value
    /// How far inside its range a cell is before the alarm ends, in V (estimate: the sag of a full load).
    private static let recoveryV = 0.05
    /// What the charge rises by before the alarm ends, in percent (estimate).
    private static let refilled = 1.0
    private static let emptyMargin = 1e-6
}

/// What faults and the temperature leave of a store.
struct StoreLimits: Hashable, Sendable {
    /// Whether a part of it is defective: then it gives and takes nothing.
    var isDefective = false
    /// The share of its power that a fault leaves, 0…1; `nil` without one.
    var heatShare: Double?
    /// What the temperature leaves of the power, 0…1.
    private(set) var chargeShare = 1.0
    /// What the temperature leaves of the power, 0…1.
    private(set) var dischargeShare = 1.0
    /// The share of the capacity that cannot be discharged at this temperature, 0…1.
    private(set) var frozenShare = 0.0

    /// Computes what a temperature leaves.
    /// - Parameter isOpen: whether the contactor is open.
    mutating func derate(celsius: Double, isOpen: Bool) {
        let share = isDefective || isOpen ? 0 : heatShare ?? 1
        chargeShare = min(share, TemperatureDerating.charge.value(at: celsius))
        dischargeShare = min(share, TemperatureDerating.discharge.value(at: celsius))
        frozenShare = 1 - TemperatureDerating.capacity.value(at: celsius)
    }
}
