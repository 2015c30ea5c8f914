import DeviceDomain
import DeviceMessages

/// The meters of a home and its stores at one moment.
struct MeterReading: Hashable, Sendable {
    /// When.
    let at: Timestamp
    /// In the order of their names.
    private let stores: [StoreReading]
    /// What the meters show, in whole watts, each with its own error. The load is computed from them, so
    /// that grid + pv = load + the sum of battery powers (PROTOCOL section 2).
    private let pvW, gridW: Double
    let loadW: Double

    init(of household: Household, at instant: Timestamp) {
        at = instant
        stores = household.stores.map(StoreReading.init)
        var batteriesW = 0.0
        for store in stores { batteriesW += store.batteryW }
        pvW = household.profile.pvMeter.shown(household.flows.pvW).rounded()
        // While the meter does not answer, the last load that it showed is what is known.
        if let lastW = household.meterLink.lastLoadW, household.isOnGrid {
            loadW = lastW
            gridW = lastW + batteriesW - pvW
        } else {
            gridW = household.profile.gridMeter.shown(household.flows.gridW).rounded()
            loadW = gridW + pvW - batteriesW
        }
    }

    /// Writes the values of a sample of one store; none for a device that is no store of the home.
    func write(_ device: DeviceID, to json: inout JSONWriter) {
        let store = stores.first { $0.device == device }
        json.writeObject { json in
            guard let store else { return }
            json.write(store.batteryW, as: .batteryPowerW)
            json.write(store.highestV, as: .cellMaxV)
            json.write(store.lowestV, as: .cellMinV)
            json.write(store.chargedKWh, as: .chargedKWh)
            json.write(store.dischargedKWh, as: .dischargedKWh)
            json.write(store.cycles, as: .equivalentCycles)
            json.write(gridW, as: .gridPowerW)
            json.write(loadW, as: .loadPowerW)
            json.write(pvW, as: .pvPowerW)
            json.write(store.percent, as: .stateOfChargePercent)
            json.write(store.celsius, as: .temperatureC)
            json.write(store.packV, as: .voltageV)
        }
    }
}

/// What one store reports, rounded to the resolution of its meters.
private struct StoreReading: Hashable, Sendable {
    let device: DeviceID
    let percent, batteryW, celsius, packV, chargedKWh, dischargedKWh: Double
    let cycles, lowestV, highestV: Double

    init(_ store: StoreUnit) {
        device = store.device
        percent = store.percent.rounded(decimals: 1)
        batteryW = store.shownW.rounded()
        celsius = store.battery.thermal.celsius.rounded(decimals: 1)
        packV = (store.battery.voltage.meanV * store.system.cells.count).rounded(decimals: 2)
        chargedKWh = (store.meter.inWh / 1000).rounded(decimals: 3)
        dischargedKWh = (store.meter.outWh / 1000).rounded(decimals: 3)
        cycles = store.battery.age.equivalentCycles.rounded(decimals: 1)
        lowestV = store.battery.voltage.lowestV.rounded(decimals: 3)
        highestV = store.battery.voltage.highestV.rounded(decimals: 3)
    }
}
