import DeviceDomain

/// What the invariants compare of a store from one second to the next.
struct StoreLook: Hashable, Sendable {
    /// The device that it is.
    let device: DeviceID
    /// What its cells hold, in Wh.
    var energyWh: Double
    /// What they can hold, in Wh.
    var capacityWh: Double
    /// What they lose by themselves in a second, in Wh.
    var leakWh: Double
    /// What the cells took in the last second, in W.
    var cellW: Double
    /// What the terminals took, in W.
    var batteryW: Double
    /// What its meter showed of that, in W.
    var shownW: Double
    /// What its meter has counted in, in Wh.
    var inWh: Double
    /// What its meter has counted out, in Wh.
    var outWh: Double
    /// The full cycles that it has done.
    var cycles: Double
    /// What is left of its capacity, 0…1.
    var health: Double
    /// Its lowest cell, in V.
    var lowestV: Double
    /// Its highest cell, in V.
    var highestV: Double
    /// Whether it can neither take nor give anything.
    var isCutOff: Bool

    init(_ store: StoreUnit) {
        device = store.device
        energyWh = store.battery.energyWh
        capacityWh = store.battery.capacityWh
        leakWh = store.battery.leakW / 3600
        cellW = store.cellW
        batteryW = store.batteryW
        shownW = store.shownW
        inWh = store.meter.inWh
        outWh = store.meter.outWh
        cycles = store.battery.age.equivalentCycles
        health = store.battery.health
        lowestV = store.battery.voltage.lowestV
        highestV = store.battery.voltage.highestV
        isCutOff = store.isCutOff
    }
}

/// A store after one second, and what it was before.
struct StoreStep {
    /// What it was.
    let before: StoreLook
    /// What it is.
    let now: StoreLook
    /// Whether its home was dark: then its cells may have paid for a black start.
    let wasDark: Bool

    /// What is checked of each store.
    static let checks: [InvariantCheck<StoreStep>] = [
        InvariantCheck(.storeEnergyBalance) { $0.missingEnergy },
        InvariantCheck(.countersNeverFall) { $0.fallenCounter },
        InvariantCheck(.noContradiction) { $0.contradiction },
        InvariantCheck(.withinLimits) { $0.excess },
    ]

    /// What does not hold, mostly nothing.
    var findings: [InvariantFinding] { Self.checks.findings(in: self) }

    private var missingEnergy: String? {
        let slack = Invariant.storeEnergyBalance.tolerance.value
        let gained = now.energyWh - before.energyWh
        let taken = now.cellW / 3600
        // Cells that are full or empty take and give less; what ages holds less.
        let least = min(before.energyWh + taken - before.leakWh, now.capacityWh) - before.energyWh
        if gained > max(taken, 0 - before.energyWh) + slack {
            return "its cells took \(taken) Wh and gained \(gained) Wh"
        }
        if gained < least - slack - (wasDark ? Self.blackStartWh : 0) {
            return "its cells took \(taken) Wh and lost \(-gained) Wh"
        }
        if now.cellW > now.batteryW + slack {
            return "its terminals took \(now.batteryW) W and its cells \(now.cellW) W"
        }
        let counted = (now.inWh - before.inWh) - (now.outWh - before.outWh)
        guard (counted - now.shownW / 3600).magnitude > slack else { return nil }
        return "its meter showed \(now.shownW) W and counted \(counted) Wh"
    }

    /// The most that a failed black start costs, in Wh: a minute of what a converter needs.
    private static let blackStartWh = 1.0

    private var fallenCounter: String? {
        if now.inWh < before.inWh { return "chargedKWh fell by \(before.inWh - now.inWh) Wh" }
        if now.outWh < before.outWh {
            return "dischargedKWh fell by \(before.outWh - now.outWh) Wh"
        }
        guard now.cycles < before.cycles else { return nil }
        return "equivalentCycles fell from \(before.cycles) to \(now.cycles)"
    }

    private var contradiction: String? {
        guard now.isCutOff, before.isCutOff, now.batteryW != 0 else { return nil }
        return "it is cut off, and takes \(now.batteryW) W"
    }

    private var excess: String? {
        let slack = Invariant.withinLimits.tolerance.value
        if now.energyWh < 0 || now.energyWh > now.capacityWh * (1 + 1e-9) {
            return "its cells hold \(now.energyWh) of \(now.capacityWh) Wh"
        }
        if !(0...1).contains(now.health) { return "its health is \(now.health)" }
        let (least, most) = (StoreConstants.dischargeTaperTo.value, StoreConstants.highCell.value)
        guard now.lowestV < least - slack || now.highestV > most + slack else { return nil }
        return "its cells have \(now.lowestV) to \(now.highestV) V"
    }
}

extension Household {
    /// What is checked of each home with stores.
    static let checks: [InvariantCheck<Household>] = [
        InvariantCheck(.homeEnergyBalance) { $0.missingPower }
    ]

    private var missingPower: String? {
        let slack = Invariant.homeEnergyBalance.tolerance.value
        var storesW = 0.0
        for store in stores { storesW += store.batteryW }
        let restW = flows.pvW + flows.gridW - flows.loadW - storesW
        if restW.magnitude > slack {
            return "grid \(flows.gridW) W + roof \(flows.pvW) W is not load \(flows.loadW) W + "
                + "stores \(storesW) W"
        }
        if !isOnGrid, flows.gridW != 0 { return "off the grid, \(flows.gridW) W come from it" }
        guard !hasPower, flows.pvW != 0 || storesW != 0 else { return nil }
        return "in the dark, the roof gives \(flows.pvW) W and the stores take \(storesW) W"
    }
}
