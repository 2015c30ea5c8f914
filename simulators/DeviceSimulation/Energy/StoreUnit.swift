import Basics
import DeviceDomain
import DeviceMessages

/// One store of a home: converter, battery, settings and energy counters.
struct StoreUnit: Hashable, Sendable {
    /// The device that it is.
    let device: DeviceID
    /// Converter and battery.
    let system: StorageSystem
    /// What is left of the capacity, 0…1.
    let health: Double

    /// By what rule it charges and discharges.
    var mode = EnergyStore.Mode.selfConsumption
    /// Where charging ends, in percent of the charge.
    var chargeLimitPercent = 100.0
    /// What is kept for a failure of the grid, in percent of the charge.
    var reservePercent = 10.0
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
    /// What faults leave of it.
    var limits = StoreLimits()
    /// The power into the terminals, in W; negative out of them.
    private(set) var batteryW = 0.0
    /// What the cells take, in W; negative when they give.
    private(set) var cellW = 0.0
    /// What happened to it since its device was last stepped.
    var occurrences: [BehaviourOccurrence] = []

    /// A limit that is nearer than this counts as reached, in percent of the charge, to allow for
    /// rounding.
    private static let reachedPercent = 1e-7
    /// A full store does not charge again above this state of charge, 0…1 (bslib: 0.98).
    private static let rechargeBelow = 0.98

    /// A store of some age and charge, both drawn from the generator.
    init(device: DeviceID, system: StorageSystem, using generator: inout SeededGenerator) {
        self.device = device
        self.system = system
        let days = generator.uniform(in: 30...1500)
        health = min(1, CellModel.calendarHealth(days: days, kelvin: 298.15, charge: 0.6))
        thermal = ThermalBody(roomC: generator.uniform(in: 17...22))
        energyWh = system.usableWh * health * generator.uniform(in: 0.35...0.65)
    }

    /// What the cells hold when full, in Wh.
    var capacityWh: Double { system.usableWh * health }
    /// The state of charge, 0…1.
    var charge: Double { energyWh / capacityWh }
    /// The state of charge in percent.
    var percent: Double { charge * 100 }

    /// Takes up to `wanted` W, or gives, where that is negative, as far as the limits allow.
    mutating func setPower(_ wanted: Double, isOnGrid: Bool) {
        batteryW = allowed(wanted, isOnGrid: isOnGrid)
        cellW =
            batteryW >= 0
            ? system.cellPower(charging: batteryW) : -system.cellPower(discharging: -batteryW)
    }

    /// What the limits leave of a wanted power, in W.
    func allowed(_ wanted: Double, isOnGrid: Bool) -> Double {
        wanted > 0 ? allowedCharge(wanted) : -allowedDischarge(-wanted, isOnGrid: isOnGrid)
    }

    private func allowedCharge(_ wanted: Double) -> Double {
        let ceiling = transfer.map(target) ?? chargeLimitPercent
        let isHeld = isHoldingFull && transfer == nil
        guard ceiling - percent > Self.reachedPercent, !isHeld else { return 0 }
        let watts = min(
            wanted, system.chargeLimitW(atCharge: charge), system.chargeW * limits.powerShare)
        return watts > system.chargeLoss.c ? watts : 0
    }

    private func allowedDischarge(_ wanted: Double, isOnGrid: Bool) -> Double {
        let floor = transfer.map(target) ?? floorPercent(isOnGrid: isOnGrid)
        let watts = min(wanted, system.dischargeW * limits.powerShare)
        return percent - floor > Self.reachedPercent && watts > system.dischargeLoss.c ? watts : 0
    }

    /// The state of charge that is kept, in percent: the reserve is for a failure of the grid.
    private func floorPercent(isOnGrid: Bool) -> Double { isOnGrid ? reservePercent : 0 }

    /// The shortest step, in seconds, so that rounding near a limit cannot stop the simulation.
    private static let shortestStep = 0.001

    /// How long the present power can last, in seconds; more than nothing.
    func secondsToLimit(isOnGrid: Bool) -> Double {
        guard cellW != 0 else { return .infinity }
        let limit =
            transfer.map(target)
            ?? (cellW > 0 ? chargeLimitPercent : floorPercent(isOnGrid: isOnGrid))
        return max(Self.shortestStep, (limit / 100 * capacityWh - energyWh) / cellW * 3600)
    }

    /// Integrates the present power.
    mutating func integrate(over seconds: Double) {
        energyWh = min(max(energyWh + cellW * seconds / 3600, 0), capacityWh)
        let energy = batteryW * seconds / 3600
        if energy > 0 { chargedWh += energy } else { dischargedWh -= energy }
        if limits.heatShare == nil {
            thermal.advance(lossW: (batteryW - cellW).magnitude, seconds: seconds)
        }
        if charge >= 1 { isHoldingFull = true }
        if charge < Self.rechargeBelow { isHoldingFull = false }
        endTransferIfDone()
    }
}

// The transfer.
extension StoreUnit {
    /// The rounding of the integration that counts as done, in percent of the charge.
    private static let tolerancePercent = 1e-6

    /// Ends the transfer if its target is reached.
    mutating func endTransferIfDone() {
        guard let transfer, isDone(transfer) else { return }
        self.transfer = nil
        let charge = JSONValue.number(percent.rounded(decimals: 1))
        let result = JSONObject(reporting: [.stateOfChargePercent: charge])
        occurrences.append(.actionEnded(.succeeded(result: result)))
    }

    private func isDone(_ transfer: EnergyTransfer) -> Bool {
        let target = target(of: transfer)
        switch transfer.direction {
        case .charge: return percent >= target - Self.tolerancePercent
        case .discharge: return percent <= target + Self.tolerancePercent
        }
    }

    /// The state of charge at which a transfer ends, in percent.
    func target(of transfer: EnergyTransfer) -> Double {
        switch transfer.direction {
        case .charge: min(transfer.untilPercent ?? 100, chargeLimitPercent)
        case .discharge: max(transfer.untilPercent ?? 0, reservePercent)
        }
    }
}

// A binary search: every input of a store looks it up.
extension [StoreUnit] {
    /// Where a store of this name is, or has to be inserted, in an array in the order of the names.
    func place(of device: DeviceID) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].device < device { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where the store of this name is, in an array in the order of the names.
    func index(of device: DeviceID) -> Int? {
        let place = place(of: device)
        return place < endIndex && self[place].device == device ? place : nil
    }
}
