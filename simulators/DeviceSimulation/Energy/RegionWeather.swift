import Basics

/// The weather of a region: a function of its seed and the time alone, the same for all of its homes
/// (its numbers are estimates in the shape of central Europe).
struct RegionWeather: Hashable, Sendable {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = SeededGenerator.mix(seed &+ 0x5EA5_0000) }

    /// The temperature of the air, in °C: 1 °C in January to 19 °C in July, 4 K from the mean to the
    /// warmest hour, and days that are warmer or colder.
    func ambientC(at second: Int) -> Double {
        let daily = Mathematics.sine(2 * .pi * (HomeClock.hour(at: second) - 9) / 24)
        let mood = SmoothNoise.value(seed: seed &+ 1, at: second, every: 129_600) - 0.5
        return 10 + 9 * HomeClock.season(at: second) + 4 * daily + 18 * mood
    }

    /// The share of the sky that clouds cover, 0…1.
    func cover(at second: Int) -> Double {
        let noise = SmoothNoise.value(seed: seed &+ 2, at: second, every: 18_000)
        let winter = 0.12 * HomeClock.season(at: second)
        return min(max((noise - 0.1 - winter) / 0.65, 0), 1)
    }

    /// What clouds take of the direct light, 0…1. A cloud comes every few minutes, and its edge takes
    /// 5 to 9 s to pass.
    /// - Parameter cover: the share of the sky that is covered at this second.
    func shade(at second: Int, cover: Double) -> Double {
        let overcast = cover > 0.6 ? (cover - 0.6) / 0.4 * 0.95 : 0
        let index = second.floored(by: Self.passage)
        // Whether there is a cloud is decided where its passage begins, so that it never comes at once.
        let chance = self.cover(at: index * Self.passage)
        guard SeededGenerator.noise(seed: seed &+ 3, index: index) < chance else { return overcast }
        let into = Double(second - index * Self.passage)
        let begin = 10 + 40 * SeededGenerator.noise(seed: seed &+ 4, index: index)
        let end = Double(Self.passage) - 50 * SeededGenerator.noise(seed: seed &+ 5, index: index)
        let edge = 5 + 4 * SeededGenerator.noise(seed: seed &+ 6, index: index)
        let depth = 0.5 + 0.35 * SeededGenerator.noise(seed: seed &+ 7, index: index)
        let shape = min((into - begin) / edge, (end - into) / edge, 1)
        return max(overcast, depth * max(shape, 0))
    }

    /// From one cloud to the next, in s.
    private static let passage = 180

    /// The clear-sky irradiance of Haurwitz on the horizontal, in W/m².
    static func clearSky(cosZenith: Double) -> Double {
        guard cosZenith > 0.001 else { return 0 }
        return 1098 * cosZenith * Mathematics.exponential(-0.059 / cosZenith)
    }
}
