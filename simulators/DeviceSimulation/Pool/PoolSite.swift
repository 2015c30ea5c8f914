import Basics
import DeviceDomain

/// What never changes about one pool robot: its model, what it has of the model's tolerances, its pool and its
/// climate.
final class PoolSite: Sendable {
    /// The numbers of its model.
    let ratings: PoolSpecification
    /// The robot itself.
    let unit: PoolUnit
    /// The pool, the same for all robots of a home.
    let basin: PoolBasin
    /// Water and air, the same for all robots of a home.
    let climate: PoolClimate
    /// How much of the open filter a square metre clogs, the same for all robots of a home.
    let clogging: Double
    /// How much full sun warms the supply, in K.
    let sunK: Double
    /// How fast the robot can move.
    let limits: MotionLimits

    init(ratings: PoolSpecification, identity: DeviceIdentity, seed: DeviceSeeds) {
        self.ratings = ratings
        limits = ratings.limits
        var own = SeededGenerator(seed: seed, identity: identity, purpose: "pool")
        unit = PoolUnit(ratings: ratings, using: &own)
        var home = SeededGenerator(seed: seed, home: identity.home, purpose: "pool")
        basin = PoolBasin(ratings: ratings, using: &home)
        climate = PoolClimate(
            ratings: ratings.climate, weather: RegionWeather(seed: seed.region), using: &home)
        clogging = home.draw(ratings.filter.clogging)
        sunK = ratings.supply.map { home.draw($0.sun) } ?? 0
    }
}

/// What one robot has of the tolerances of its model.
struct PoolUnit: Hashable, Sendable {
    /// Its speed on the floor at normal power, in m/s.
    let speed: Double
    /// Its speed up a wall with an open filter, in m/s.
    let climbSpeed: Double
    /// How fast it sinks, in m/s.
    let sinkSpeed: Double
    /// Its currents in relation to those of the model.
    let currentFactor: Double
    /// How wrong its depth is, in m.
    let depthOffset: Double
    /// How wrong its temperature is, in K.
    let temperatureOffset: Double
    /// How long its tracks last from the start of the simulation, in seconds.
    let trackSeconds: Double
    /// What its decisions and its noise derive from.
    let seed: UInt64

    init(ratings: PoolSpecification, using generator: inout SeededGenerator) {
        speed = generator.draw(ratings.drive.speed)
        climbSpeed = generator.draw(ratings.drive.climbSpeed)
        sinkSpeed = generator.draw(ratings.drive.sinkSpeed)
        currentFactor = generator.draw(ratings.pump.tolerance)
        depthOffset = generator.draw(ratings.sensors.depthOffset)
        temperatureOffset = generator.draw(ratings.sensors.temperatureOffset)
        trackSeconds =
            (generator.draw(ratings.drive.trackLife) - generator.draw(ratings.drive.trackAge))
            * 3600
        seed = generator.next()
    }

    /// What is decided by chance, so that two decisions of one second differ.
    enum Chance: UInt64 {
        case place, heading, side, stretch, again, line, slip, slipDepth, caught, release, stall
        case beach, away, air, airTime, depth, tilt, current
    }

    /// A number from 0 up to 1 that belongs to this device, chance and second (or other index): nothing that is
    /// drawn depends on how often the world was stepped.
    func roll(_ chance: Chance, at index: Int) -> Double {
        SeededGenerator.noise(seed: seed ^ (chance.rawValue &* 0xD6E8_FEB8_6659_FD93), index: index)
    }

    /// A number within the range of a rating that belongs to this device, chance and second.
    func draw(_ rating: Rating, _ chance: Chance, at index: Int) -> Double {
        guard let range = rating.range else { return rating.value }
        return range.lowerBound + (range.upperBound - range.lowerBound) * roll(chance, at: index)
    }
}

extension SeededGenerator {
    /// What one device or home has of a rating; a number is drawn also where all have the same.
    mutating func draw(_ rating: Rating) -> Double {
        uniform(in: rating.range ?? rating.value...rating.value)
    }
}
