package import DeviceDomain
import DeviceMessages

/// A battery at a home's meter, with a roof of photovoltaics and a household beside it.
package struct EnergyBehaviour: DeviceBehaviour {
    package let commands: [CommandSpecification]
    /// Converter and battery.
    let system: StorageSystem
    /// What the home draws and its roof gives.
    let home: HomeProfile
    /// What is left of the capacity, 0…1.
    let health: Double

    /// By what rule it charges and discharges.
    var mode = EnergyStore.Mode.selfConsumption
    /// Where charging ends, in percent of the charge.
    var chargeLimitPercent = 100.0
    /// What is kept for a failure of the grid, in percent of the charge.
    var reservePercent = 10.0
    /// Whether the home is on the grid.
    var isOnGrid = true
    /// Whether the island had to shed load since it began.
    var isSheddingLoad = false
    /// The charge or discharge that was asked for, if one runs.
    var transfer: EnergyTransfer?
    /// Whether it was full and waits until the charge falls below the hysteresis.
    var isHoldingFull = false
    /// What the cells hold, in Wh.
    var energyWh: Double
    /// What the terminals took, in Wh; never falls.
    var chargedWh = 0.0
    /// What the terminals gave, in Wh; never falls.
    var dischargedWh = 0.0
    /// How warm it is.
    var thermal: ThermalBody
    /// The flows at the meter.
    var flow = PowerFlow()
    /// What the cells take, in W; negative when they give.
    var cellW = 0.0

    /// A store of some age and charge, both drawn from the generator.
    init(system: StorageSystem, using generator: inout SeededGenerator, at world: Timestamp) {
        self.system = system
        commands = EnergyStore.commands(
            rated: EnergyStoreRating(chargeW: system.chargeW, dischargeW: system.dischargeW))
        home = HomeProfile(
            roofs: system.usableWh * 0.6...system.usableWh * 0.9, using: &generator)
        let days = generator.uniform(in: 30...1500)
        health = min(1, CellModel.calendarHealth(days: days, kelvin: 298.15, charge: 0.6))
        thermal = ThermalBody(roomC: generator.uniform(in: 17...22))
        energyWh = system.usableWh * health * generator.uniform(in: 0.35...0.65)
        observeHome(at: world)
    }

    /// The models of this kind.
    static let makers: [DeviceModel: BehaviourCatalog.Maker] = [
        DeviceModel(rawValue: "store-e5"): { who, seed, world in make(.e5, who, seed, world) },
        DeviceModel(rawValue: "store-e10"): { who, seed, world in make(.e10, who, seed, world) },
    ]

    private static func make(
        _ system: StorageSystem, _ identity: DeviceIdentity, _ seed: UInt64, _ world: Timestamp
    ) -> any DeviceBehaviour {
        var generator = SeededGenerator(seed: seed, identity: identity, purpose: "energy")
        return EnergyBehaviour(system: system, using: &generator, at: world)
    }

    /// What the cells hold when full, in Wh.
    var capacityWh: Double { system.usableWh * health }
    /// The state of charge, 0…1.
    var charge: Double { energyWh / capacityWh }
    /// The state of charge in percent.
    var percent: Double { charge * 100 }
}

extension EnergyBehaviour {
    package var controlled: JSONObject {
        [
            "mode": .string(mode.rawValue), "chargeLimitPercent": .number(chargeLimitPercent),
            "reservePercent": .number(reservePercent), "gridConnected": .boolean(isOnGrid),
            "alarms": isSheddingLoad ? ["load-shed"] : [],
        ]
    }

    package var measured: JSONObject {
        ["stateOfHealthPercent": .number((health * 100).rounded(decimals: 1))]
    }

    package var telemetry: JSONObject {
        let flow = flow.reported
        return [
            "stateOfChargePercent": .number(percent.rounded(decimals: 1)),
            "batteryPowerW": .number(flow.battery), "gridPowerW": .number(flow.grid),
            "loadPowerW": .number(flow.load), "pvPowerW": .number(flow.pv),
            "temperatureC": .number(thermal.celsius.rounded(decimals: 1)),
            "voltageV": .number(
                CellModel.packV(charge: charge, cellW: cellW).rounded(decimals: 2)),
            "chargedKWh": .number((chargedWh / 1000).rounded(decimals: 3)),
            "dischargedKWh": .number((dischargedWh / 1000).rounded(decimals: 3)),
        ]
    }

    /// What it does, in a word: the power decides, not the mode.
    package var activityName: String {
        if flow.batteryW > 0 { return "charging" }
        return flow.batteryW < 0 ? "discharging" : "standby"
    }

    package var stepInterval: Duration? { transfer == nil ? nil : .seconds(1) }

    package var actionPercent: Double? {
        guard let transfer else { return nil }
        let way = target(of: transfer) - transfer.startPercent
        guard way != 0 else { return 100 }
        return min(max((percent - transfer.startPercent) / way * 100, 0), 100).rounded()
    }

    package var memory: JSONObject {
        [
            "energyWh": .number(energyWh.rounded(decimals: 2)),
            "chargedWh": .number(chargedWh.rounded(decimals: 2)),
            "dischargedWh": .number(dischargedWh.rounded(decimals: 2)),
        ]
    }

    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        mode = controlled["mode"]?.string.flatMap(EnergyStore.Mode.init) ?? mode
        chargeLimitPercent = controlled["chargeLimitPercent"]?.number ?? chargeLimitPercent
        reservePercent = controlled["reservePercent"]?.number ?? reservePercent
        isOnGrid = controlled["gridConnected"]?.boolean ?? isOnGrid
        energyWh = min(max(memory["energyWh"]?.number ?? energyWh, 0), capacityWh)
        chargedWh = memory["chargedWh"]?.number ?? chargedWh
        dischargedWh = memory["dischargedWh"]?.number ?? dischargedWh
    }
}
