import DeviceDomain
import DeviceMessages

/// The meter of a home and its stores at one moment.
struct MeterReading: Hashable, Sendable {
    /// When.
    let at: Timestamp
    private let stores: [StoreUnit]
    private let pvW, loadW: Double
    private let isOnGrid: Bool

    init(of household: Household, at instant: Timestamp) {
        at = instant
        stores = household.stores
        (pvW, loadW, isOnGrid) = (household.pvW, household.loadW, household.isOnGrid)
    }

    /// The flows as they are reported: whole watts whose sum over all stores is exact, so that
    /// grid + pv = load + the sum of battery powers (PROTOCOL section 2). Off the grid the load
    /// makes up for the rounding.
    private var flows: (pv: Double, load: Double, grid: Double) {
        let batteries = stores.map { $0.batteryW.rounded() }.reduce(0, +)
        let pv = pvW.rounded()
        guard isOnGrid else { return (pv, pv - batteries, 0) }
        let load = loadW.rounded()
        return (pv, load, load + batteries - pv)
    }

    /// The values of a sample of one store, `nil` for a device that is no store of the home.
    func values(of device: DeviceID) -> JSONObject? {
        guard let store = stores.first(where: { $0.device == device }) else { return nil }
        let volts = CellModel.packV(charge: store.charge, cellW: store.cellW)
        let flows = flows
        return [
            "stateOfChargePercent": .number(store.percent.rounded(decimals: 1)),
            "batteryPowerW": .number(store.batteryW.rounded()),
            "gridPowerW": .number(flows.grid), "loadPowerW": .number(flows.load),
            "pvPowerW": .number(flows.pv),
            "temperatureC": .number(store.thermal.celsius.rounded(decimals: 1)),
            "voltageV": .number(volts.rounded(decimals: 2)),
            "chargedKWh": .number((store.chargedWh / 1000).rounded(decimals: 3)),
            "dischargedKWh": .number((store.dischargedWh / 1000).rounded(decimals: 3)),
        ]
    }
}
