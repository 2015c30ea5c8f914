internal import Connectivity
internal import DeviceDomain
internal import HomeModel
internal import SharedPresentation

/// Where the power of a home comes from and where it goes, in W; `nil` for what is not measured.
public struct EnergyFlow: Hashable, Sendable {
    /// From the sun.
    public let solarW: Double?
    /// From the grid; negative into it.
    public let gridW: Double?
    /// What the home uses.
    public let loadW: Double?
    /// Into all batteries; negative out of them.
    public let batteryW: Double?
    /// How full the batteries are, in percent, on average.
    public let chargePercent: Double?

    /// - Parameter stores: the devices that measure. Stores of one home share one meter (PROTOCOL
    ///   section 2), so grid, sun and load are those of the first one.
    @MainActor
    init(_ stores: [DeviceMemory]) {
        let samples = stores.compactMap(\.known.telemetry?.values)
        solarW = samples.first?[.pvPowerW]?.number
        gridW = samples.first?[.gridPowerW]?.number
        loadW = samples.first?[.loadPowerW]?.number
        let batteries = samples.compactMap { $0[.batteryPowerW]?.number }
        batteryW = batteries.isEmpty ? nil : batteries.reduce(0, +)
        let charges = stores.compactMap(\.known.chargePercent)
        chargePercent = charges.isEmpty ? nil : charges.reduce(0, +) / Double(charges.count)
    }
}
