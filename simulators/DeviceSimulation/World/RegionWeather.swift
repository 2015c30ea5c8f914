import Basics
import DeviceDomain

/// The numbers of the weather of all regions: central Europe, 50° north.
struct WeatherRatings: ModelSpecification {
    /// The mean of the air over the year.
    let airMean = Rating(10, "°C", .estimate("Central Europe"))
    /// How far the air swings over the year, warmest in the middle of July.
    let airSeason = Rating(9, "K", .estimate("Central Europe: 1 °C in January, 19 °C in July"))
    /// How far the air swings over the day.
    let airSwing = Rating(4, "K", .estimate("Central Europe"))
    /// The hour at which the air is warmest, local time.
    let airPeakHour = Rating(15, "h", .estimate("three hours after noon"))
    /// How far a warm or cold spell is from the mean, and how long it takes from one to the next.
    let spell = Rating(-9...9, "K", .estimate("the hottest and coldest days of a season"))
    let spellTime = Rating(36, "h", .estimate("fronts pass every one to three days"))

    /// How long it takes from one cover of clouds to the next.
    let coverTime = Rating(5, "h", .estimate("a day has clear and cloudy hours"))
    /// Below this share of its noise the sky is clear, and this much above it all of it is covered.
    let coverFrom = Rating(0.1, "1", .estimate("clear for a tenth of the time"))
    let coverSpan = Rating(0.65, "1", .estimate("overcast for a quarter of the time"))
    /// How much more of the sky is covered in winter, and less in summer.
    let coverSeason = Rating(0.12, "1", .estimate("Central Europe"))
    /// From one cloud to the next.
    let cloudPassage = Rating(180, "s", .estimate("clouds of 1 km at 5 m/s"))
    /// When a cloud comes and goes within that.
    let cloudBegin = Rating(10...50, "s", .estimate("clouds of different size"))
    let cloudEnd = Rating(0...50, "s", .estimate("clouds of different size"))
    /// How long the edge of a cloud takes to pass over a roof.
    let cloudEdge = Rating(5...9, "s", .estimate("30 m at 5 m/s"))
    /// What a cloud takes of the direct light.
    let cloudDepth = Rating(0.5...0.85, "1", .estimate("cumulus clouds"))
    /// The cover from which the sky counts as overcast, and what that takes of the direct light.
    let overcastFrom = Rating(0.6, "1", .estimate("five eighths"))
    let overcastShade = Rating(0.95, "1", .estimate("stratus clouds"))
    /// What a covered sky takes of all light.
    let coverLoss = Rating(
        0.75, "1", .published("Kasten and Czeplak 1980: 1 − 0.75 N³·⁴; here the third power"))

    /// The numbers of all regions.
    static let standard = WeatherRatings()
}

/// The weather of a region: a function of its seed and the time alone, the same for roofs, stores, pools and rooms
/// of all of its homes.
struct RegionWeather: Hashable, Sendable {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = SeededGenerator.mix(seed &+ 0x5EA5_0000) }

    private static let ratings = WeatherRatings.standard

    /// The temperature of the air, in °C.
    func ambientC(at second: Int) -> Double {
        let ratings = Self.ratings
        let hours = HomeClock.hour(at: second) - ratings.airPeakHour.value
        let share = SmoothNoise.value(
            seed: seed &+ 1, at: second, every: Int(ratings.spellTime.value * 3600))
        return ratings.airMean.value + ratings.airSeason.value * HomeClock.season(at: second)
            + ratings.airSwing.value * Mathematics.cosine(2 * .pi * hours / 24)
            + ratings.spell.value(at: share)
    }

    /// The share of the sky that clouds cover, 0…1.
    func cover(at second: Int) -> Double {
        let ratings = Self.ratings
        let noise = SmoothNoise.value(
            seed: seed &+ 2, at: second, every: Int(ratings.coverTime.value * 3600))
        let winter = ratings.coverSeason.value * HomeClock.season(at: second)
        let share = (noise - ratings.coverFrom.value - winter) / ratings.coverSpan.value
        return min(max(share, 0), 1)
    }

    /// What clouds take of the direct light, 0…1. A cloud comes every few minutes, and its edge takes some seconds
    /// to pass.
    /// - Parameter cover: the share of the sky that is covered at this second.
    func shade(at second: Int, cover: Double) -> Double {
        let ratings = Self.ratings
        let from = ratings.overcastFrom.value
        let overcast =
            cover > from ? (cover - from) / (1 - from) * ratings.overcastShade.value : 0
        let index = second.floored(by: Self.passage)
        func draw(_ rating: Rating, _ stream: UInt64) -> Double {
            rating.value(at: SeededGenerator.noise(seed: seed &+ stream, index: index))
        }
        // Whether there is a cloud is decided where its passage begins, so that it never comes at once.
        let chance = self.cover(at: index * Self.passage)
        guard SeededGenerator.noise(seed: seed &+ 3, index: index) < chance else { return overcast }
        let into = Double(second - index * Self.passage)
        let begin = draw(ratings.cloudBegin, 4)
        let end = Double(Self.passage) - draw(ratings.cloudEnd, 5)
        let edge = draw(ratings.cloudEdge, 6)
        let shape = min((into - begin) / edge, (end - into) / edge, 1)
        return max(overcast, draw(ratings.cloudDepth, 7) * max(shape, 0))
    }

    /// The light on the horizontal, in W/m², without single clouds.
    func light(at second: Int) -> Double {
        let clear = Self.clearSky(cosZenith: HomeClock.sun(at: second).up)
        guard clear > 0 else { return 0 }
        let cover = cover(at: second)
        return clear * (1 - Self.ratings.coverLoss.value * cover * cover * cover)
    }

    /// From one cloud to the next, in s.
    private static let passage = Int(ratings.cloudPassage.value)

    /// The clear-sky irradiance of Haurwitz on the horizontal, in W/m².
    static func clearSky(cosZenith: Double) -> Double {
        guard cosZenith > 0.001 else { return 0 }
        return 1098 * cosZenith * Mathematics.exponential(-0.059 / cosZenith)
    }
}
