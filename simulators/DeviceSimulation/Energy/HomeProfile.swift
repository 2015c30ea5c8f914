import Basics
import DeviceDomain

/// What a home draws and what its roof gives, at any time of the world: functions of the seed and
/// the time alone.
struct HomeProfile: Hashable, Sendable {
    /// The peak power of the roof, in W.
    let roofW: Double
    /// What the home always draws, in W.
    let baseW: Double
    private let seed: UInt64

    /// Where the homes stand: 50° north, 10° east.
    private static let latitude = 50 * Double.pi / 180
    private static let longitudeHours = 10.0 / 15

    /// - Parameter roofs: the peak powers to choose from, in W (usual for one family's house).
    init(
        roofs: ClosedRange<Double> = 4000...9000, using generator: inout SeededGenerator
    ) {
        roofW = generator.uniform(in: roofs)
        baseW = generator.uniform(in: 180...320)
        seed = generator.next()
    }

    /// What the roof gives, in W.
    func pvW(at world: Timestamp) -> Double {
        let irradiance = Self.clearSky(cosZenith: Self.cosZenith(at: world)) * clearness(at: world)
        guard irradiance > 0 else { return 0 }
        // Modules warm by about 30 K in full sun (engineering) and lose 0.35 % a kelvin.
        let cellC = 15 + 0.03 * irradiance
        return roofW * irradiance / 1000 * (1 - 0.0035 * (cellC - 25)) * Self.inverterEfficiency
    }

    /// What the home draws, in W: a base, meals and evening, and appliances now and then
    /// (engineering, in the shape of the standard load profile H0).
    func loadW(at world: Timestamp) -> Double {
        let hour = Self.localHour(at: world)
        let meals =
            Self.hump(hour, at: 7.5, width: 1, peak: 500)
            + Self.hump(hour, at: 12.5, width: 1, peak: 350)
        let evening = Self.hump(hour, at: 19, width: 2, peak: 900)
        let mood = 0.6 + 0.8 * smoothNoise(at: world, every: 300, stream: 1)
        return baseW + (meals + evening) * mood + applianceW(at: world)
    }

    /// The clear-sky irradiance of Haurwitz on the horizontal, in W/m².
    static func clearSky(cosZenith: Double) -> Double {
        guard cosZenith > 0.001 else { return 0 }
        return 1098 * cosZenith * Mathematics.exponential(-0.059 / cosZenith)
    }

    /// The hour of the day at the homes, 0…24 (Central European Time).
    static func localHour(at world: Timestamp) -> Double {
        let day = 86_400_000
        let milliseconds = (world.milliseconds + 3_600_000) % day
        return Double(milliseconds < 0 ? milliseconds + day : milliseconds) / 3_600_000
    }

    private static let inverterEfficiency = 0.96

    private static func cosZenith(at world: Timestamp) -> Double {
        let days = Double(world.milliseconds) / 86_400_000
        let declination = 23.44 * .pi / 180 * Mathematics.sine(2 * .pi * (days - 79.3) / 365.2425)
        let solarHour = localHour(at: world) - 1 + longitudeHours
        let hourAngle = (solarHour - 12) * .pi / 12
        return Mathematics.sine(latitude) * Mathematics.sine(declination)
            + Mathematics.cosine(latitude) * Mathematics.cosine(declination)
            * Mathematics.cosine(hourAngle)
    }

    /// The share of the clear sky's light that comes through: a cover of the day and clouds of
    /// ten minutes (engineering).
    private func clearness(at world: Timestamp) -> Double {
        let day = Int((Double(world.milliseconds) / 86_400_000).rounded(.down))
        let cover = 0.35 + 0.65 * SeededGenerator.noise(seed: seed &+ 2, index: day)
        return cover * (0.7 + 0.3 * smoothNoise(at: world, every: 600, stream: 3))
    }

    /// A kettle, an oven, a washing machine: 1.8 kW for a fifteenth of the quarter hours.
    private func applianceW(at world: Timestamp) -> Double {
        let quarter = Int((Double(world.milliseconds) / 900_000).rounded(.down))
        return SeededGenerator.noise(seed: seed &+ 4, index: quarter) < 1.0 / 15 ? 1800 : 0
    }

    private func smoothNoise(at world: Timestamp, every seconds: Double, stream: UInt64) -> Double {
        let position = Double(world.milliseconds) / 1000 / seconds
        let index = Int(position.rounded(.down))
        let share = position - Double(index)
        let from = SeededGenerator.noise(seed: seed &+ stream, index: index)
        let to = SeededGenerator.noise(seed: seed &+ stream, index: index + 1)
        return from + (to - from) * share
    }

    private static func hump(
        _ hour: Double, at center: Double, width: Double, peak: Double
    ) -> Double {
        let distance = (hour - center) / width
        guard distance.magnitude < 4 else { return 0 }
        return peak * Mathematics.exponential(-distance * distance)
    }
}
