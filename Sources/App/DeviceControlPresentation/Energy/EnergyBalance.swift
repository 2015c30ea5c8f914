public import DeviceDomain

/// How much energy a home has taken, given and used in a time, in kWh.
public struct EnergyBalance: Hashable, Sendable {
    /// From the sun.
    public internal(set) var solarKWh = 0.0
    /// What the home has used.
    public internal(set) var usedKWh = 0.0
    /// From the grid.
    public internal(set) var importedKWh = 0.0
    /// Into the grid.
    public internal(set) var exportedKWh = 0.0
    /// Into the batteries, by their counters.
    public internal(set) var chargedKWh = 0.0
    /// Out of the batteries, by their counters.
    public internal(set) var dischargedKWh = 0.0
    /// What that has cost, less what was paid for what went into the grid; `nil` where no prices are known.
    public internal(set) var cost: Double?

    /// How much of what the home has used did not come from the grid, in percent; `nil` where it has used nothing.
    public var selfSufficiencyPercent: Double? {
        guard usedKWh > 0 else { return nil }
        return min(max(1 - importedKWh / usedKWh, 0), 1) * 100
    }

    init(hasPrices: Bool) { cost = hasPrices ? 0 : nil }

    /// A power was measured for some hours.
    /// - Parameters:
    ///   - price: of a kWh from the grid.
    ///   - feedIn: what is paid for one into it.
    mutating func add(_ power: EnergyPower, hours: Double, price: Double, feedIn: Double) {
        solarKWh += (power.solarW ?? 0) * hours / 1_000
        usedKWh += (power.loadW ?? 0) * hours / 1_000
        let gridKWh = (power.gridW ?? 0) * hours / 1_000
        if gridKWh > 0 { importedKWh += gridKWh } else { exportedKWh -= gridKWh }
        if let cost { self.cost = cost + gridKWh * (gridKWh > 0 ? price : feedIn) }
    }
}

/// The power of a home in a period, in W; `nil` for what was not measured.
public struct EnergyPower: Hashable, Sendable {
    /// When the period begins (world clock).
    public internal(set) var at: Timestamp
    /// From the sun.
    public internal(set) var solarW: Double?
    /// From the grid; negative into it.
    public internal(set) var gridW: Double?
    /// What the home uses.
    public internal(set) var loadW: Double?
    /// Into all batteries; negative out of them.
    public internal(set) var batteryW: Double?
}
