import Basics
import DeviceDomain
import DeviceMessages

/// One store of a home: converter, battery, settings and energy counters.
struct StoreUnit: Hashable, Sendable {
    /// The device that it is.
    let device: DeviceID
    /// Converter and battery.
    let system: StorageSystem

    /// By what rule it charges and discharges.
    var mode = EnergyStore.Mode.selfConsumption
    /// Where charging ends, in percent of the charge.
    var chargeLimitPercent = 100.0
    /// What is kept for a failure of the grid, in percent of the charge.
    var reservePercent = 10.0
    /// The charge or discharge that was asked for, if one runs.
    var transfer: EnergyTransfer?
    /// Whether it reached its charge limit and waits until the charge falls below the hysteresis.
    var isHoldingFull = false
    /// Its battery.
    var battery: Battery
    /// What faults and the temperature leave of it.
    var limits = StoreLimits()
    /// What is wrong with it.
    private(set) var alarms: StoreAlarms = []
    /// What happened to it since its device was last stepped.
    var occurrences: [BehaviourOccurrence] = []

    /// Its meter, at the terminals.
    var meter: EnergyMeter
    /// The mean power into the terminals in the last second, standby included, in W; negative out of them.
    private(set) var batteryW = 0.0
    /// What the cells took in the last second, in W; negative when they gave.
    private(set) var cellW = 0.0
    private var converter: Converter
    /// What the limits of this second allow, in W; neither is negative.
    private(set) var allowedChargeW = 0.0
    private(set) var allowedDischargeW = 0.0

    /// A store of some age and charge, both drawn from the generator.
    init(
        device: DeviceID, system: StorageSystem, room: StoreRoom? = nil,
        using generator: inout SeededGenerator
    ) {
        self.device = device
        self.system = system
        battery = Battery(
            system: system, room: room ?? StoreRoom(using: &generator), using: &generator)
        meter = EnergyMeter(error: system.own.meterError.drawn(using: &generator))
        converter = Converter(ripple: generator.next())
        // The counters have counted since the store was new.
        let formerWh = battery.age.equivalentCycles * system.usableWh
        meter.outWh = formerWh * system.batteryEfficiency
        meter.inWh = formerWh / system.batteryEfficiency
        feelTemperature()
    }

    /// The state of charge in percent.
    var percent: Double { battery.charge * 100 }
    /// What its meter shows, in W.
    var shownW: Double { meter.shown(batteryW) }

    /// Restores what survived a restart.
    mutating func restore(alarms codes: [String]) {
        alarms = StoreAlarms(codes: codes)
        feelTemperature()
    }

    /// Applies the temperature, or a fault that changed, to limits and alarms.
    mutating func feelTemperature() {
        let wasHot = alarms.contains(.overTemperature)
        battery.settle()
        alarms.judge(celsius: battery.thermal.celsius)
        limits.derate(celsius: battery.thermal.celsius, isOpen: alarms.contains(.contactorOpen))
        guard alarms.contains(.overTemperature), !wasHot else { return }
        let celsius = JSONValue.number(battery.thermal.celsius.rounded(decimals: 1))
        occurrences.append(
            .event(.overTemperature, detail: JSONObject(reporting: [.temperatureC: celsius])))
    }

    /// Ends a minute of the world: temperature and age.
    mutating func endMinute(ambientC: Double) {
        battery.endMinute(ambientC: limits.heatShare == nil ? ambientC : nil)
        feelTemperature()
    }
}

extension StoreRoom {
    /// A place drawn from the generator: two of three stores stand indoors (estimate).
    init(using generator: inout SeededGenerator) {
        let isIndoors = generator.nextFraction() < 2.0 / 3
        self =
            isIndoors
            ? .indoors(celsius: generator.uniform(in: 15...22))
            : .outdoors(warmer: generator.uniform(in: 1...6))
    }
}

// One second of the world.
extension StoreUnit {
    /// Where the power of a store goes.
    enum Supply {
        /// The home is on the grid: the converter follows its setpoint with its dead time and lag.
        case grid
        /// The store is part of what supplies the home: it follows the load at once.
        case island
        /// The home is dark.
        case none
    }

    /// A limit that is nearer than this counts as reached, in percent of the charge, to allow for
    /// rounding.
    private static let reachedPercent = 1e-7
    private static let hysteresisPercent = 100 - StoreConstants.rechargePercent.value
    private static let lowestPercent = StoreConstants.lowestPercent.value
    private static let blackStartPercent = StoreConstants.blackStartPercent.value

    /// Whether it can form the grid of a home that has none.
    var canFormGrid: Bool {
        limits.dischargeShare > 0 && percent >= Self.blackStartPercent
    }

    /// Whether it can neither take nor give anything: a part is defective, or its contactor is open.
    var isCutOff: Bool { limits.isDefective || alarms.contains(.contactorOpen) }

    /// Whether it can supply a home, because its charge is above the lowest one.
    var hasCharge: Bool { percent > lowestPercent(isOnGrid: false) + 1 }

    /// Computes what the next second allows.
    mutating func findLimits(isOnGrid: Bool) {
        allowedChargeW = chargeLimit()
        allowedDischargeW = dischargeLimit(isOnGrid: isOnGrid)
    }

    private func chargeLimit() -> Double {
        let ceiling = transfer.map(target) ?? chargeLimitPercent
        let isHeld = isHoldingFull && transfer == nil
        guard limits.chargeShare > 0, ceiling - percent > Self.reachedPercent, !isHeld else {
            return 0
        }
        var watts = min(
            system.chargeLimitW(atCharge: battery.charge), system.chargeW * limits.chargeShare)
        let missingWs = (ceiling / 100 * battery.capacityWh - battery.energyWh) * 3600
        if missingWs < system.chargeW {
            watts = min(watts, system.acPower(chargingCellsWith: missingWs))
        }
        return watts
    }

    private func dischargeLimit(isOnGrid: Bool) -> Double {
        let floor = max(
            transfer.map(target) ?? lowestPercent(isOnGrid: isOnGrid), limits.frozenShare * 100)
        guard limits.dischargeShare > 0, percent - floor > Self.reachedPercent else { return 0 }
        var watts = system.dischargeW * min(limits.dischargeShare, battery.dischargeShare)
        let restWs = (battery.energyWh - floor / 100 * battery.capacityWh) * 3600
        if restWs < 2 * system.dischargeW {
            watts = min(watts, system.acPower(dischargingCellsWith: restWs))
        }
        return watts
    }

    /// The charge that is kept, in percent: the reserve is for a failure of the grid.
    private func lowestPercent(isOnGrid: Bool) -> Double {
        isOnGrid ? reservePercent : Self.lowestPercent
    }

    /// What the limits leave of a wanted power, in W.
    func allowed(_ wanted: Double) -> Double {
        min(max(wanted, -allowedDischargeW), allowedChargeW)
    }

    /// Tells the converter what to take, or to give where that is negative, as far as the limits allow.
    /// - Returns: what it was told, in W.
    @discardableResult
    mutating func order(_ wanted: Double) -> Double {
        converter.setpointW = allowed(wanted)
        return converter.setpointW
    }

    /// Runs for one second with what it was told.
    mutating func run(second: Int, supply: Supply) {
        setPower(second: second, supply: supply)
        battery.run(cellW: cellW, lossW: batteryW - cellW)
        meter.count(batteryW)
        alarms.judge(battery.voltage)
        alarms.judge(percent: percent, lowest: stopPercent(supply))
        if percent >= chargeLimitPercent - Self.tolerancePercent { isHoldingFull = true }
        if percent < chargeLimitPercent - Self.hysteresisPercent { isHoldingFull = false }
        endTransferIfDone()
    }

    /// The charge at which it has nothing to give, in percent. On the grid the lowest charge is a matter
    /// of settings; only below that of a black start it is empty.
    private func stopPercent(_ supply: Supply) -> Double {
        switch supply {
        case .grid: Self.blackStartPercent
        case .island, .none: Self.lowestPercent
        }
    }

    private mutating func setPower(second: Int, supply: Supply) {
        switch supply {
        case .grid:
            run(at: converter.follow(second: second, of: system))
            if allowedChargeW == 0, allowedDischargeW == 0 { converter.block() }
        case .island:
            converter.jump()
            supplyHome(converter.setpointW)
        case .none:
            converter.block()
            standBy(hasGrid: false)
        }
    }

    private mutating func run(at wanted: Double) {
        let watts = allowed(wanted)
        if watts > system.chargeLoss.c {
            batteryW = watts
            cellW = system.cellPower(charging: watts)
        } else if watts < -system.dischargeLoss.c {
            batteryW = watts
            cellW = -system.cellPower(forming: -watts)
        } else {
            standBy(hasGrid: true)
        }
    }

    private mutating func supplyHome(_ watts: Double) {
        if watts > system.chargeLoss.c {
            batteryW = watts
            cellW = system.cellPower(charging: watts)
        } else if canFormGrid {
            batteryW = min(0, watts)
            cellW = -system.cellPower(forming: -batteryW)
        } else {
            standBy(hasGrid: false)
        }
    }

    /// Without a grid the cells feed what the converter needs on standby.
    private mutating func standBy(hasGrid: Bool) {
        guard !isCutOff else {
            (batteryW, cellW) = (0, 0)
            return
        }
        let draw =
            alarms.contains(.empty) ? system.standby.empty : system.standby.charged
        batteryW = hasGrid ? draw.acW : 0
        cellW = -draw.dcW - (hasGrid ? 0 : draw.acW)
    }

    /// Neither takes nor gives anything, until the next second.
    mutating func rest() {
        converter.block()
        (batteryW, cellW) = (0, 0)
    }

    /// Pays for a black start that failed, in Ws of the converter's own need.
    mutating func payForBlackStart(seconds: Double) {
        battery.energyWh = max(
            0, battery.energyWh - system.dischargeLoss.c * seconds / 3600)
    }
}

// The transfer.
extension StoreUnit {
    /// What is so near to its target counts as done, in percent of the charge: no converter runs for the
    /// few watts that the rest would take.
    private static let tolerancePercent = 0.001

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

    /// The state of charge at which a transfer ends, in percent. What the cold holds back cannot be
    /// discharged.
    func target(of transfer: EnergyTransfer) -> Double {
        switch transfer.direction {
        case .charge: min(transfer.untilPercent ?? 100, chargeLimitPercent)
        case .discharge:
            max(transfer.untilPercent ?? 0, reservePercent, limits.frozenShare * 100)
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
