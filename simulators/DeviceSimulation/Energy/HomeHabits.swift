import Basics

/// What a household switches on, and when (estimates in the shape of the standard load profile H0).
struct HomeHabits: Hashable, Sendable {
    /// What is always switched on, in W.
    private let baseW: Double
    /// How much of everything it uses; 1 for two people.
    private let people: Double
    private let fridge: Refrigerator
    private let freezer: Refrigerator
    private let seed: UInt64

    init(using generator: inout SeededGenerator) {
        baseW = HomeRatings.base.drawn(using: &generator)
        people = HomeRatings.people.drawn(using: &generator)
        fridge = Refrigerator(using: &generator)
        freezer = Refrigerator(using: &generator)
        seed = generator.next()
    }

    /// What changes slowly: light, screens, cooking hours, in W.
    func slowW(at second: Int) -> Double {
        let hour = HomeClock.hour(at: second)
        let day = HomeClock.day(at: second)
        let winter = 1 - HomeRatings.eveningSeason.value * HomeClock.season(at: second)
        // On a free day the morning comes later, and somebody is at home.
        let isFree = HomeClock.isWeekend(day: day)
        let morning =
            isFree
            ? Self.hump(hour, at: 9.5, width: 1.6, peak: HomeRatings.morning.value)
            : Self.hump(hour, at: 7, width: 1, peak: HomeRatings.morning.value)
        let noonW = (isFree ? HomeRatings.freeNoon : HomeRatings.noon).value
        let noon = Self.hump(hour, at: 12.7, width: 1.5, peak: noonW)
        let evening = Self.hump(
            hour, at: 20, width: 2.4, peak: HomeRatings.evening.value * winter)
        let mood = HomeRatings.mood.value(
            at: SmoothNoise.value(seed: seed &+ 1, at: second, every: 840))
        return baseW + (morning + noon + evening) * people * mood
    }

    /// The refrigerators, and what flickers from second to second, in W.
    /// - Parameter slowW: what else is on.
    func quickW(at second: Int, slowW: Double) -> Double {
        let flicker = SeededGenerator.noise(seed: seed &+ 2, index: second) - 0.5
        return fridge.watts(at: second) + freezer.watts(at: second) + flicker
            * (HomeRatings.flicker.value + HomeRatings.flickerShare.value * slowW)
    }

    /// What is used on a local day.
    func appliances(onDay day: Int) -> [ApplianceUse] {
        var generator = SeededGenerator(
            seed: SeededGenerator.mix(seed &+ 3 &+ UInt64(bitPattern: Int64(day))))
        let start = HomeClock.start(ofDay: day)
        let isFree = HomeClock.isWeekend(day: day)
        return ApplianceRatings.all.compactMap {
            $0.drawn(
                onFreeDay: isFree, people: people, dayStart: start, using: &generator)
        }
    }

    private static func hump(
        _ hour: Double, at center: Double, width: Double, peak: Double
    ) -> Double {
        let distance = (hour - center) / width
        guard distance.magnitude < 4 else { return 0 }
        return peak * Mathematics.exponential(-distance * distance)
    }
}

/// A compressor that runs for a part of each cycle.
struct Refrigerator: Hashable, Sendable {
    private let watts: Double
    private let period: Int
    private let duty: Double
    private let offset: Int

    init(using generator: inout SeededGenerator) {
        watts = HomeRatings.fridge.drawn(using: &generator)
        period = Int(HomeRatings.fridgePeriod.drawn(using: &generator))
        duty = HomeRatings.fridgeDuty.drawn(using: &generator)
        offset = Int(generator.uniform(in: 0...4000))
    }

    /// What it draws, in W: it starts with a surge, and draws less as it gets colder.
    func watts(at second: Int) -> Double {
        let into = (second + offset).rest(by: period)
        let share = Double(into) / Double(period) / duty
        guard share < 1 else { return 1.5 }
        return watts * (into < 2 ? 2.5 : 1.1 - 0.2 * share)
    }
}

/// An appliance that runs once.
struct ApplianceUse: Hashable, Sendable {
    /// How its power runs.
    enum Kind: Hashable, Sendable {
        /// A kettle, a microwave, a screen: on and off.
        case steady
        /// A hob or an oven: its thermostat switches it.
        case thermostat
        /// Two phases of heating, and a pump.
        case dishwasher
        /// Heats, turns the drum to and fro, spins.
        case washing
        /// A vacuum cleaner.
        case motor
    }

    /// How its power runs.
    let kind: Kind
    /// The second at which it is switched on.
    let start: Int
    /// How long it runs, in s.
    let seconds: Int
    /// What it draws at most, in W.
    let watts: Double

    /// Whether it runs in the minute that begins at a second.
    func runs(inMinuteFrom second: Int) -> Bool { start < second + 60 && start + seconds > second }

    /// What it draws, in W.
    func watts(at second: Int) -> Double {
        let into = second - start
        guard into >= 0, into < seconds else { return 0 }
        let share = Double(into) / Double(seconds)
        switch kind {
        case .steady: return watts
        // Twelve minutes of full power, then it only keeps the heat.
        case .thermostat: return into < 720 || into % 70 < 32 ? watts : 0
        case .dishwasher:
            let isHeating = (share > 0.08 && share < 0.24) || (share > 0.66 && share < 0.76)
            return isHeating ? watts : 60
        case .washing:
            if share > 0.05 && share < 0.22 { return watts }
            return share > 0.9 ? 450 : into % 20 < 13 ? 210 : 30
        case .motor: return watts * (into < 2 ? 1.6 : 1 + 0.08 * Double(into % 7 - 3) / 3)
        }
    }
}
