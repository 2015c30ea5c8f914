import Basics
import DeviceDomain

/// How warm the water of a pool is, and the weather above it: functions of home and time alone.
struct PoolClimate: Hashable, Sendable {
    /// The mean of the water over the year, in °C.
    let waterMean: Double
    /// How far the water swings over the year, in K.
    let waterSeason: Double
    /// How far the water swings over the day, in K.
    let waterSwing: Double
    /// The weather, shared with the other homes of the region.
    let weather: RegionWeather

    init(
        ratings: PoolClimateRatings, weather: RegionWeather,
        using generator: inout SeededGenerator
    ) {
        self.weather = weather
        waterMean = generator.draw(ratings.waterMean)
        waterSeason = generator.draw(ratings.waterSeason)
        waterSwing = generator.draw(ratings.waterSwing)
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
    func air(at world: Timestamp) -> Double { weather.ambientC(at: world.second) }

    /// How much of a sun of 1000 W/m² there is.
    func sun(at world: Timestamp) -> Double { weather.light(at: world.second) / 1000 }
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
        isInWater
            ? site.climate.water(at: world, site.ratings.climate) : site.climate.air(at: world)
    }
}
