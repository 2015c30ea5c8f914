import DeviceDomain

/// The filter of a pool robot.
struct PoolFilter: Hashable, Sendable {
    /// How much of it is clogged, 0…1.
    private(set) var clogged = 0.0
    /// Whether it has been reported as full since it was emptied.
    private(set) var isReported = false

    /// How clogged it is, in percent.
    var percent: Double { clogged * 100 }

    /// Takes the dirt of an area: dF = k dA (1 − F).
    /// - Parameter clogging: k, in 1/m².
    /// - Returns: whether it is full now and was not before.
    mutating func take(_ area: Double, clogging: Double, _ ratings: PoolFilterRatings) -> Bool {
        clogged = min(1, clogged + clogging * area * (1 - clogged))
        guard percent >= ratings.full.value, !isReported else { return false }
        isReported = true
        return true
    }

    /// Its owner empties it.
    mutating func empty() { self = PoolFilter() }

    /// Takes up what was recorded, in percent.
    mutating func restore(percent: Double, _ ratings: PoolFilterRatings) {
        clogged = min(max(percent / 100, 0), 1)
        isReported = percent >= ratings.full.value
    }

    /// What is left of the suction, 0…1.
    func suction(_ ratings: PoolFilterRatings) -> Double {
        1 - ratings.suctionLoss.value * clogged
    }
}

/// Where a pool robot is, as far as people move it.
enum PoolPlace: Hashable, Sendable {
    /// In the pool.
    case water
    /// In the pool with air inside, which lets it float for so many seconds more.
    case floating(seconds: Int)
    /// Beside the pool, for so many seconds.
    case deck(seconds: Int)
    /// At its charger beside the pool, for so many seconds.
    case charger(seconds: Int)
    /// Beside the pool as long as a fault lasts.
    case keptOutside

    /// Whether it is at its charger.
    var isAtCharger: Bool { if case .charger = self { true } else { false } }

    /// Whether it is in the pool.
    var isInPool: Bool {
        switch self {
        case .water, .floating: true
        case .deck, .charger, .keptOutside: false
        }
    }
}

/// What people set on a pool robot.
struct PoolSettings: Hashable, Sendable {
    /// How hard it works.
    var level = PoolRobot.PowerLevel.normal
    /// When it starts by itself.
    var schedule = WeeklySchedule.empty
    /// The revision of the desired document that it applied last; 0 before the first.
    var desiredRevision = 0

    /// The program whose time begins at this minute, if one's does; of two the later one.
    func program(startingAt world: Timestamp) -> PoolRobot.Program? {
        guard !schedule.entries.isEmpty else { return nil }
        let minute = HomeClock.minuteOfWeek(at: world)
        return schedule.entries.last { ($0.weekday - 1) * 1440 + $0.minuteOfDay == minute }?.program
    }
}

/// How warm the supply of a tethered robot is.
struct PoolSupply: Hashable, Sendable {
    /// Its temperature, in °C.
    private(set) var celsius: Double

    /// A supply that has given nothing for long.
    init(at world: Timestamp, in site: PoolSite) {
        celsius = Self.idle(at: world, in: site)
    }

    init(celsius: Double) { self.celsius = celsius }

    /// Warms or cools for a minute.
    /// - Parameter watts: what it gives.
    mutating func passMinute(
        giving watts: Double, at world: Timestamp, _ ratings: PoolSupplyRatings, in site: PoolSite
    ) {
        let loss = watts * (1 / ratings.efficiency.value - 1)
        let end = Self.idle(at: world, in: site) + loss * ratings.resistance.value
        let share = 1 - Mathematics.exponential(-60 / ratings.timeConstant.value)
        celsius += (end - celsius) * share
    }

    /// What it has after a long time without a load, in °C.
    private static func idle(at world: Timestamp, in site: PoolSite) -> Double {
        site.climate.air(at: world) + site.sunK * site.climate.sun(at: world)
    }
}
