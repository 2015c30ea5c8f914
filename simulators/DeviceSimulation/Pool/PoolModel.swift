import DeviceDomain

/// The numbers of one model of pool robot.
struct PoolModel: Hashable, Sendable {
    /// What the battery holds, in Wh; `nil` for a robot on a tether.
    let batteryWh: Double?
    /// How long each program takes, in minutes.
    let minutes: [PoolRobot.Program: Double]

    /// On a tether: durations as robots of this class offer them (60, 90, 120 min).
    static let p1 = PoolModel(
        batteryWh: nil, minutes: [.floor: 60, .walls: 90, .waterline: 60, .full: 120])
    /// Cordless: typically 60…90 min on one charge (vendors' figures, low confidence). The battery
    /// is large enough for 80 min at `boost` with a clogged filter, which take 112 Wh, above the
    /// 10 % at which the robot gives up (engineering).
    static let c1 = PoolModel(
        batteryWh: 130, minutes: [.floor: 45, .walls: 60, .waterline: 45, .full: 80])

    /// How long a program takes, in seconds.
    func seconds(of program: PoolRobot.Program) -> Double { (minutes[program] ?? 60) * 60 }
}

/// What pool robots have in common.
enum PoolConstants {
    /// The supply of the motors, in V (Polaris 9300: 28 V; Dolphin: 24…29 V).
    static let supplyV = 24.0
    /// How fast a robot climbs and sinks, in m/s (engineering).
    static let climbSpeed = 0.1
    /// How deep a robot floats, in m.
    static let surfaceDepthM = 0.05
    /// The floor's depth in the middle and how far it slopes either way, in m.
    static let floorDepthM = (mean: 1.5, slope: 0.4)
    /// How long a robot takes from the shallow end to the deep end and back, in seconds.
    static let lapSeconds = 240.0
    /// The surface that is cleaned, in m²/s (engineering: 3 m²/min).
    static let coverageM2PerSecond = 3.0 / 60
    /// How much of the open filter a square metre clogs (engineering: full after about 20 h).
    static let cloggingPerM2 = 0.00083
    /// How clogged a filter is that counts as full, in percent.
    static let filterFullPercent = 95.0
    /// What the state reports once the pump ran dry.
    static let outOfWater = "OUT_OF_WATER"
    /// How long the pump runs dry before the robot gives up, in seconds (Dolphin: error 2).
    static let dryLimitSeconds = 30.0
    /// State of charge at which a cordless robot gives up, in percent (10…20 % is usual).
    static let lowBatteryPercent = 10.0
    /// State of charge below which it does not start, in percent.
    static let startPercent = 20.0
    /// State of charge below which the owner lifts an idle robot out to charge it, in percent.
    static let chargedBelowPercent = 60.0
    /// How long the owner waits before that, and before putting a robot on a tether back into the
    /// water, in seconds.
    static let ownerDelaySeconds = 600.0
    /// What the electronics of a cordless robot need while it rests, in W (engineering).
    static let idleW = 0.3

    /// The current of pump and drive on the floor, in A (hobbyists measured a Dolphin at 1.8 A
    /// with the pump alone and 2.3 A with the drive).
    static func currentA(_ level: PoolRobot.PowerLevel) -> Double {
        switch level {
        case .eco: 1.8
        case .normal: 2.3
        case .boost: 2.9
        }
    }

    /// What climbing adds, in A (engineering).
    static let climbingA = 0.3
    /// What a clogged filter adds, as a share of the current (engineering).
    static let cloggedShare = 0.15
}

/// How warm the water is over the day, in °C: a sine that rises fastest at 15:00 UTC
/// (engineering; the swing of a pool stays below 1 K).
struct WaterTemperature: Hashable, Sendable {
    /// The mean of the day, in °C.
    let meanC: Double
    /// How far it swings, in K.
    static let swingK = 0.8

    /// The temperature at a time of the world.
    func celsius(at world: Timestamp) -> Double {
        let hours = Double(world.milliseconds % 86_400_000) / 3_600_000
        return meanC + Self.swingK * Mathematics.sine(2 * .pi * (hours - 15) / 24)
    }
}
