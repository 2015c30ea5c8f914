import Basics
import DeviceDomain

/// How warm the water of a pool and the air above it are: functions of home and time alone.
struct PoolClimate: Hashable, Sendable {
    /// The mean of the water over the year, in °C.
    let waterMean: Double
    /// How far the water swings over the year, in K.
    let waterSeason: Double
    /// How far the water swings over the day, in K.
    let waterSwing: Double
    /// The mean of the air over the year, in °C.
    let airMean: Double
    private let seed: UInt64

    init(ratings: PoolClimateRatings, using generator: inout SeededGenerator) {
        waterMean = generator.draw(ratings.waterMean)
        waterSeason = generator.draw(ratings.waterSeason)
        waterSwing = generator.draw(ratings.waterSwing)
        airMean = generator.draw(ratings.airMean)
        seed = generator.next()
    }

    /// The temperature of the water, in °C.
    func water(at world: Timestamp, _ ratings: PoolClimateRatings) -> Double {
        let season = waterSeason * HomeClock.season(at: world, peak: ratings.waterPeakDay.value)
        let daily = waterSwing * HomeClock.daily(at: world, peak: ratings.waterPeakHour.value)
        guard let limits = ratings.waterLimits.range else { return waterMean + season + daily }
        // The swing of a day stays also where the season is at its limit.
        let least = limits.lowerBound + waterSwing
        return min(max(waterMean + season, least), limits.upperBound - waterSwing) + daily
    }

    /// The temperature of the air, in °C.
    func air(at world: Timestamp, _ ratings: PoolClimateRatings) -> Double {
        airMean + ratings.airSeason.value
            * HomeClock.season(at: world, peak: ratings.airPeakDay.value)
            + ratings.airSwing.value * HomeClock.daily(at: world, peak: ratings.airPeakHour.value)
            + weather(at: world, ratings)
    }

    /// How much of the full sun there is, 0…1: none at night, least in winter.
    func sun(at world: Timestamp, _ ratings: PoolClimateRatings) -> Double {
        let season = HomeClock.season(at: world, peak: ratings.airPeakDay.value - 30)
        let height = HomeClock.daily(at: world, peak: 12.5) + 0.3 * season
        return min(max(height / 1.3, 0), 1) * (0.65 + 0.35 * season)
    }

    /// How far the weather is from the mean, straight from noon to noon.
    private func weather(at world: Timestamp, _ ratings: PoolClimateRatings) -> Double {
        guard let range = ratings.weather.range else { return ratings.weather.value }
        let days = HomeClock.days(at: world) - 0.5
        let day = days.rounded(.down)
        let from = SeededGenerator.noise(seed: seed, index: Int(day))
        let to = SeededGenerator.noise(seed: seed, index: Int(day) + 1)
        let share = from + (to - from) * (days - day)
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}

/// The temperature sensor of a pool robot, which takes a while to follow when it changes between water and air.
struct PoolThermometer: Hashable, Sendable {
    /// Whether it is in the water.
    private(set) var isInWater = true
    /// When it came there.
    private var since: Timestamp
    /// How far it was then from what is around it, in K.
    private var lead = 0.0

    /// A sensor that has been there for long.
    init(inWater: Bool, at world: Timestamp) {
        isInWater = inWater
        since = world
    }

    /// It comes into the water or out of it.
    mutating func move(intoWater: Bool, at world: Timestamp, in site: PoolSite) {
        guard intoWater != isInWater else { return }
        let before = temperature(at: world, in: site)
        isInWater = intoWater
        since = world
        lead = before - Self.around(intoWater, at: world, in: site)
    }

    /// What it has, in °C.
    func temperature(at world: Timestamp, in site: PoolSite) -> Double {
        let around = Self.around(isInWater, at: world, in: site)
        let sensors = site.ratings.sensors
        let lag = isInWater ? sensors.waterLag.value : sensors.airLag.value
        let seconds = world.since(since).seconds
        guard lead != 0, seconds >= 0, seconds < 20 * lag else { return around }
        return around + lead * Mathematics.exponential(-seconds / lag)
    }

    /// What it reports, in °C: with its error, in its steps.
    func reading(at world: Timestamp, in site: PoolSite) -> Double {
        let step = site.ratings.sensors.temperatureStep.value
        let celsius = temperature(at: world, in: site) + site.unit.temperatureOffset
        return (celsius / step).rounded() * step
    }

    private static func around(
        _ isInWater: Bool, at world: Timestamp, in site: PoolSite
    ) -> Double {
        let climate = site.ratings.climate
        return isInWater
            ? site.climate.water(at: world, climate) : site.climate.air(at: world, climate)
    }
}
