/// Where a store stands.
enum StoreRoom: Hashable, Sendable {
    /// In the house or its cellar, at this temperature in °C.
    case indoors(celsius: Double)
    /// In a garage or at a wall, so much warmer than the air outside, in K.
    case outdoors(warmer: Double)

    /// Its temperature, in °C.
    func celsius(ambientC: Double) -> Double {
        switch self {
        case .indoors(let celsius): celsius
        case .outdoors(let warmer): ambientC + warmer
        }
    }
}

/// How warm the store is: one body that its losses heat and the room cools.
struct ThermalBody: Hashable, Sendable {
    /// Where it is.
    let room: StoreRoom
    /// The body, in °C.
    private(set) var celsius: Double
    /// What it lost since the last whole minute, in Ws.
    private var heatWs = 0.0

    /// Conductance to the room, in W/K.
    private static let conductance =
        StoreConstants.surface.value * StoreConstants.heatTransfer.value
    /// Heat capacity, in J/K.
    private static let capacity = StoreConstants.mass.value * StoreConstants.specificHeat.value
    /// What a minute leaves of a difference to the steady state.
    private static let minuteDecay = decay(seconds: 60)

    private static func decay(seconds: Double) -> Double {
        Mathematics.exponential(-seconds * conductance / capacity)
    }

    /// A body that has a temperature.
    init(room: StoreRoom, celsius: Double) {
        self.room = room
        self.celsius = celsius
    }

    /// Takes up a temperature that was recorded, or that it is held at.
    mutating func restore(celsius: Double) { self.celsius = celsius }

    /// Counts the losses of one second, in W.
    mutating func heat(lossW: Double) { heatWs += lossW }

    /// The exact solution for the mean loss of the last minute (NREL's SAM, `lib_battery.cpp`).
    mutating func endMinute(ambientC: Double) {
        let steady = room.celsius(ambientC: ambientC) + heatWs / 60 / Self.conductance
        celsius = steady + (celsius - steady) * Self.minuteDecay
        heatWs = 0
    }
}

/// What a temperature leaves of power and capacity, 0…1.
enum TemperatureDerating {
    /// The share of the power while charging: BYD L3.5 derates from +12 to −10 °C; the upper end is an
    /// estimate around the +50 °C up to which BYD's HVB works.
    static let charge = PiecewiseLine([(-10, 0), (12, 1), (45, 1), (55, 0)])
    /// The share of the power while discharging: BYD HVB derates from 0 to −20 °C.
    static let discharge = PiecewiseLine([(-20, 0), (0, 1), (45, 1), (55, 0)])
    /// The share of the capacity that can be used (test data of NREL's ssc). What is missing cannot be
    /// discharged until it is warmer.
    static let capacity = PiecewiseLine([(-10, 0.6), (0, 0.8), (25, 1), (40, 1)])

    /// The temperature at which a share of the power is left in the heat, in °C.
    static func celsius(leaving share: Double) -> Double { 55 - 10 * share }
}
