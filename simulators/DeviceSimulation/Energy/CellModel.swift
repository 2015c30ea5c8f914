/// The battery's terminals and its age.
enum CellModel {
    /// Cells in series.
    static let cells = 16.0
    /// The resistance of the pack, in Ω (1.2 mΩ a cell: the ends of PyBaMM's Thevenin example).
    static let resistance = 16 * 0.0012

    /// The open-circuit voltage of a lithium iron phosphate cell, in V (Afshar 2017, as in
    /// PyBaMM's `Prada2013`).
    static func openCircuitV(charge: Double) -> Double {
        let x = 1 - min(max(charge, 0), 1)
        return 3.4077 - 0.020269 * x + 0.5 * Mathematics.exponential(-150 * x)
            - 0.9 * Mathematics.exponential(-30 * (1 - x))
    }

    /// The voltage of the pack, in V.
    /// - Parameter cellW: the power that the cells take; negative when they give.
    static func packV(charge: Double, cellW: Double) -> Double {
        let open = cells * openCircuitV(charge: charge)
        return open + cellW / open * resistance
    }

    /// What is left of the capacity after some days at a temperature and state of charge, 0…1
    /// (calendar ageing of NREL's SAM, `lib_battery.cpp`).
    static func calendarHealth(days: Double, kelvin: Double, charge: Double) -> Double {
        let rate =
            0.00266 * Mathematics.exponential(-7280 * (1 / kelvin - 1 / 296))
            * Mathematics.exponential(930 * (charge / kelvin - 1 / 296))
        return 1.02 - rate * days.squareRoot()
    }
}

/// How warm the store is: one body that its losses heat and the room cools.
struct ThermalBody: Hashable, Sendable {
    /// The room, in °C.
    let roomC: Double
    /// The body, in °C.
    private(set) var celsius: Double

    /// Conductance to the room, in W/K: 2.5 m² at 7.5 W/(m²·K) (engineering).
    private static let conductance = 2.5 * 7.5
    /// Heat capacity, in J/K: 130 kg at 1004 J/(kg·K).
    private static let capacity = 130.0 * 1004

    /// A body as warm as its room.
    init(roomC: Double) {
        self.roomC = roomC
        celsius = roomC
    }

    /// Takes up a temperature that was recorded.
    mutating func restore(celsius: Double) { self.celsius = celsius }

    /// The exact solution for a constant loss (NREL's SAM, `lib_battery.cpp`).
    mutating func advance(lossW: Double, seconds: Double) {
        let steady = roomC + lossW / Self.conductance
        let decay = Mathematics.exponential(-seconds * Self.conductance / Self.capacity)
        celsius = steady + (celsius - steady) * decay
    }
}
