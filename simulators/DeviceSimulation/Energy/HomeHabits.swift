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
        let winter = 1 - 0.35 * HomeClock.season(at: second)
        // On a free day the morning comes later, and somebody is at home.
        let isFree = HomeClock.isWeekend(day: day)
        let morning = Self.hump(hour, at: isFree ? 9.5 : 7, width: isFree ? 1.6 : 1, peak: 160)
        let noon = Self.hump(hour, at: 12.7, width: 1.5, peak: isFree ? 190 : 90)
        let evening = Self.hump(hour, at: 20, width: 2.4, peak: 330 * winter)
        let mood = 0.6 + 0.8 * SmoothNoise.value(seed: seed &+ 1, at: second, every: 840)
        return baseW + (morning + noon + evening) * people * mood
    }

    /// The refrigerators, and what flickers from second to second, in W.
    /// - Parameter slowW: what else is on.
    func quickW(at second: Int, slowW: Double) -> Double {
        let flicker = SeededGenerator.noise(seed: seed &+ 2, index: second) - 0.5
        return fridge.watts(at: second) + freezer.watts(at: second) + flicker * (16 + 0.03 * slowW)
    }

    /// What is used on a local day.
    func appliances(onDay day: Int) -> [ApplianceUse] {
        var generator = SeededGenerator(
            seed: SeededGenerator.mix(seed &+ 3 &+ UInt64(bitPattern: Int64(day))))
        let start = HomeClock.start(ofDay: day)
        let isFree = HomeClock.isWeekend(day: day)
        var uses: [ApplianceUse] = []
        func add(
            _ kind: ApplianceUse.Kind, watts: ClosedRange<Double>, minutes: ClosedRange<Double>,
            hours: ClosedRange<Double>, likely: Double
        ) {
            // All numbers are drawn in any case, so that one use does not move another.
            let isUsed = generator.nextFraction() < likely * (0.6 + 0.4 * people)
            let begin = generator.uniform(in: hours) * 3600
            let length = generator.uniform(in: minutes) * 60
            let power = generator.uniform(in: watts)
            guard isUsed else { return }
            uses.append(
                ApplianceUse(
                    kind: kind, start: start + Int(begin), seconds: Int(length), watts: power))
        }
        for hours in [6.2...9.0, 9.5...12.0, 14.5...17.0, 19.0...22.0] {
            add(.steady, watts: 1800...2200, minutes: 1.8...4, hours: hours, likely: 0.6)
            add(.steady, watts: 900...1300, minutes: 1...4, hours: hours, likely: 0.35)
        }
        add(
            .thermostat, watts: 1400...2400, minutes: 18...50, hours: 11.3...12.8,
            likely: isFree ? 0.8 : 0.3)
        add(.thermostat, watts: 1200...2200, minutes: 20...60, hours: 17.5...19.5, likely: 0.75)
        add(.steady, watts: 70...160, minutes: 90...240, hours: 18.5...20.5, likely: 0.9)
        add(.dishwasher, watts: 1900...2200, minutes: 95...130, hours: 19...22, likely: 0.55)
        add(
            .washing, watts: 1900...2200, minutes: 70...110, hours: 8...17,
            likely: isFree ? 0.6 : 0.22)
        add(.motor, watts: 600...900, minutes: 12...30, hours: 9...18, likely: isFree ? 0.35 : 0.12)
        return uses
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
