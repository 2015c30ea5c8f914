import DeviceDomain
import DeviceMessages

/// The meter of a home and its stores at one moment.
struct MeterReading: Hashable, Sendable {
    /// When.
    let at: Timestamp
    /// In the order of their names.
    private let stores: [StoreUnit]
    /// The flows as they are reported: whole watts whose sum over all stores is exact, so that
    /// grid + pv = load + the sum of battery powers (PROTOCOL section 2). Off the grid the load
    /// makes up for the rounding.
    private let pvW, loadW, gridW: Double

    init(of household: Household, at instant: Timestamp) {
        at = instant
        stores = household.stores
        let batteries = stores.map { $0.batteryW.rounded() }.reduce(0, +)
        pvW = household.pvW.rounded()
        loadW = household.isOnGrid ? household.loadW.rounded() : pvW - batteries
        gridW = household.isOnGrid ? loadW + batteries - pvW : 0
    }

    /// The values of a sample of one store, `nil` for a device that is no store of the home.
    func values(of device: DeviceID) -> JSONObject? {
        guard let store = stores.index(of: device).map({ stores[$0] }) else { return nil }
        let volts = CellModel.packV(charge: store.charge, cellW: store.cellW)
        return JSONObject(reporting: [
            .stateOfChargePercent: .number(store.percent.rounded(decimals: 1)),
            .batteryPowerW: .number(store.batteryW.rounded()),
            .gridPowerW: .number(gridW), .loadPowerW: .number(loadW),
            .pvPowerW: .number(pvW),
            .temperatureC: .number(store.thermal.celsius.rounded(decimals: 1)),
            .voltageV: .number(volts.rounded(decimals: 2)),
            .chargedKWh: .number((store.chargedWh / 1000).rounded(decimals: 3)),
            .dischargedKWh: .number((store.dischargedWh / 1000).rounded(decimals: 3)),
        ])
    }
}
