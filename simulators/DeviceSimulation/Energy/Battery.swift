import Basics

/// The battery of one store: what its cells hold, how warm and how old they are, and their voltage.
struct Battery: Hashable, Sendable {
    /// The model that it belongs to.
    let system: StorageSystem
    /// What the cells hold, in Wh.
    var energyWh: Double
    /// How far it has aged.
    var age: BatteryAge
    /// What is left of the capacity, 0…1.
    private(set) var health: Double
    /// How warm it is.
    var thermal: ThermalBody
    /// The voltage of its cells.
    private(set) var voltage: CellVoltage
    /// What the cells gave since the last whole minute, in Ws.
    private var dischargedWs = 0.0

    /// A battery of some age and charge, both drawn from the generator.
    init(system: StorageSystem, room: StoreRoom, using generator: inout SeededGenerator) {
        self.system = system
        age = BatteryAge(of: system, using: &generator)
        health = age.health
        thermal = ThermalBody(room: room, celsius: room.celsius(ambientC: 15))
        let charge = system.own.firstCharge.drawn(using: &generator)
        energyWh = system.usableWh * health * charge
        voltage = CellVoltage(
            spreadV: system.own.cellSpread.drawn(using: &generator),
            restingV: system.cells.restingV(charge: charge))
    }

    /// What the cells hold when full, in Wh.
    var capacityWh: Double { system.usableWh * health }
    /// The state of charge, 0…1.
    var charge: Double { energyWh / capacityWh }

    /// What the cells lose by themselves, in W.
    var leakW: Double { capacityWh * Self.selfDischargePerHour }

    private static let selfDischargePerHour = StoreConstants.selfDischarge.value / 100 / 24

    /// One second with a power.
    /// - Parameters:
    ///   - cellW: what the cells take, in W; negative when they give.
    ///   - lossW: what is lost in the store and warms it, in W.
    mutating func run(cellW: Double, lossW: Double) {
        energyWh = min(max(energyWh + (cellW - leakW) / 3600, 0), capacityWh)
        if cellW < 0 { dischargedWs -= cellW }
        thermal.heat(lossW: lossW)
        voltage.advance(
            cellW: cellW, restingV: system.cells.restingV(charge: charge), of: system.cells)
    }

    /// The share of its full power that it may give at the voltage of its lowest cell, 0…1.
    var dischargeShare: Double {
        guard charge < Self.taperBelow else { return 1 }
        return voltage.dischargeShare(
            of: system.cellPower(forming: system.dischargeW),
            restingV: system.cells.restingV(charge: charge), of: system.cells)
    }

    /// The charge below which a cell can come near the taper of the discharge, 0…1: at 15 % it rests at
    /// 3.3 V.
    private static let taperBelow = 0.15

    /// Ends a minute of the world: temperature and age.
    /// - Parameter ambientC: the air outside, in °C; `nil` while something holds the temperature.
    mutating func endMinute(ambientC: Double?) {
        if let ambientC { thermal.endMinute(ambientC: ambientC) }
        age.advance(
            days: 1.0 / 1440, kelvin: thermal.celsius + 273.15, charge: charge,
            discharged: dischargedWs / 3600 / system.usableWh)
        dischargedWs = 0
        settle()
    }

    /// Applies an age or a temperature that changed.
    mutating func settle() {
        health = age.health
        energyWh = min(energyWh, capacityWh)
        voltage.resistanceFactor = CellModel.resistanceFactor(celsius: thermal.celsius)
    }
}
