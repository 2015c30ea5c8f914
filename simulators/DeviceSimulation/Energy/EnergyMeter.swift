/// A meter with an error of its own, and what it has counted.
struct EnergyMeter: Hashable, Sendable {
    /// What it shows of a watt.
    let gain: Double
    /// What went in so far, in Wh; never falls.
    var inWh = 0.0
    /// What came out so far, in Wh; never falls.
    var outWh = 0.0

    /// - Parameter error: as a share of what is measured.
    init(error: Double) { gain = 1 + error }

    /// What it shows, in W.
    func shown(_ watts: Double) -> Double { watts * gain }

    /// Counts one second.
    mutating func count(_ watts: Double) {
        let energy = shown(watts) / 3600
        if energy > 0 { inWh += energy } else { outWh -= energy }
    }
}
