/// A robot's battery: energy in, energy out, a taper when it is charged.
struct BatteryPack: Hashable, Sendable {
    /// What it holds when full, in Wh.
    let capacityWh: Double
    /// What the charger gives before the taper, in W.
    let chargerW: Double
    /// What it holds, in Wh.
    private(set) var energyWh: Double
    /// What it can hold at present, in Wh: all of its capacity, unless a fault limits it.
    private var limitWh: Double

    /// The share of the charger's power by state of charge: 1 up to 75 %, 0.4 at 90 %, 0.08 at
    /// 100 % (SAP's curve for electric cars; with it a full charge takes 1.482 times the time at
    /// full power).
    static let taper = PiecewiseLine([(0, 1), (0.75, 1), (0.9, 0.4), (1, 0.08)])

    /// The longest time that is integrated with one power, in seconds.
    private static let longestStep = 10.0

    /// A full pack.
    init(capacityWh: Double, chargerW: Double) {
        self.capacityWh = capacityWh
        self.chargerW = chargerW
        energyWh = capacityWh
        limitWh = capacityWh
    }

    /// The state of charge, 0…1.
    var charge: Double { energyWh / capacityWh }

    /// The state of charge in percent.
    var percent: Double { charge * 100 }

    /// Whether nothing more goes in.
    var isFull: Bool { energyWh >= capacityWh }

    /// What it takes while it is charged, in W; less the fuller it is.
    var chargingW: Double { chargerW * Self.taper.value(at: charge) }

    /// Takes energy out, down to zero.
    mutating func drain(watts: Double, seconds: Double) {
        energyWh = max(0, energyWh - watts * seconds / 3600)
    }

    /// Charges for some time.
    mutating func fill(seconds: Double) {
        var rest = seconds
        while rest > 0, !isFull {
            let step = min(rest, Self.longestStep)
            energyWh = min(limitWh, energyWh + chargingW * step / 3600)
            rest -= step
        }
    }

    /// Limits what it can hold, in percent of its capacity; what is above that is lost.
    mutating func limit(toPercent percent: Double) {
        limitWh = capacityWh * percent / 100
        energyWh = min(energyWh, limitWh)
    }

    /// Takes up what was recorded, in Wh. Recorded without rounding: whole percents are reported
    /// rounded down, and one of them must not come or go with a restart.
    mutating func restore(energyWh: Double) {
        self.energyWh = min(max(energyWh, 0), limitWh)
    }

    /// Sets the state of charge, in percent.
    mutating func restore(percent: Double) {
        energyWh = capacityWh * min(max(percent, 0), 100) / 100
    }
}

/// A function given by points, straight between them and constant beyond.
struct PiecewiseLine: Sendable {
    private let points: [(x: Double, y: Double)]

    /// - Parameter points: in rising order of x; at least one.
    init(_ points: [(Double, Double)]) {
        precondition(!points.isEmpty, "a line needs a point")
        self.points = points.map { (x: $0.0, y: $0.1) }
    }

    /// The value at `x`.
    func value(at x: Double) -> Double {
        guard let upper = points.firstIndex(where: { $0.x >= x }) else {
            return points[points.count - 1].y
        }
        guard upper > 0 else { return points[0].y }
        let (a, b) = (points[upper - 1], points[upper])
        return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    }
}

extension Double {
    /// The number with so many decimals, as it is reported.
    func rounded(decimals: Int) -> Double {
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        return (self * factor).rounded() / factor
    }

    /// The number rounded up to so many decimals, as what only grows is kept over a restart: what is reported of it
    /// with fewer decimals is then never less than before.
    func keptCount(decimals: Int) -> Double {
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        // Sums that were made in other steps differ in their last bits.
        return (self * factor - 1e-6).rounded(.up) / factor
    }
}
