import DeviceDomain

/// The numbers of one model of sweeping robot.
struct SweepingModel: Hashable, Sendable {
    /// What the battery holds, in Wh (packs of this class: 37…75 Wh).
    let batteryWh: Double
    /// Whether the dock empties the dustbin.
    let emptiesItself: Bool

    /// 2600 mAh at 14.4 V.
    static let s1 = SweepingModel(batteryWh: 37.4, emptiesItself: false)
    /// 5200 mAh at 14.4 V, with a dock that empties the dustbin.
    static let pro = SweepingModel(batteryWh: 74.9, emptiesItself: true)

    /// The charger's power before the taper, in W: a full charge takes 2 h (Roomba i7), and the
    /// taper makes it 1.482 times the time at full power.
    var chargerW: Double { batteryWh * 1.482 / 2 }
}

/// What a sweeping robot's drives and fan need, and what its floor gives.
enum SweepingConstants {
    /// Drive, brushes and electronics while driving, in W (engineering).
    static let driveW = 12.0
    /// Electronics while standing off the dock, in W (engineering).
    static let idleW = 2.5
    /// State of charge at which it returns to the dock, in percent (Eufy S1 Pro: 10 %).
    static let returnPercent = 10.0
    /// State of charge at which it takes up an interrupted cleaning, in percent (Eufy S1 Pro:
    /// 65 %).
    static let resumePercent = 65.0
    /// How much of the dustbin a square metre fills, in percent (engineering).
    static let dustPercentPerM2 = 0.4
    /// How full the dustbin is when its owner empties it at the dock, in percent.
    static let emptiedAtPercent = 80.0
    /// The floor that is cleaned in straight lines, in m²/min: with turns and ways between rooms
    /// the effective coverage lies within the 0.84…1.05 m²/min of recorded cleanings.
    static let coverage = 0.96...1.04

    /// The fan's power, in W (engineering: with ``driveW`` the mean of 25…45 W that run times of
    /// 60…180 min imply).
    static func fanW(_ level: SweepingRobot.SuctionLevel) -> Double {
        switch level {
        case .quiet: 10
        case .balanced: 18
        case .turbo: 28
        case .max: 42
        }
    }
}
