import Basics

/// A use of an appliance that a household has on some days.
struct ApplianceRatings: Sendable {
    /// How its power runs.
    let kind: ApplianceUse.Kind
    /// What it draws at most.
    let power: Rating
    /// How long it runs.
    let length: Rating
    /// When it is switched on, local time.
    let start: Rating
    /// How likely it is on a working day and on a free one, in a household of two.
    let onWorkday, onFreeDay: Rating

    /// Its name.
    let name: String

    private init(
        _ name: String, _ kind: ApplianceUse.Kind, watts: ClosedRange<Double>,
        minutes: ClosedRange<Double>, hours: ClosedRange<Double>, likely: Double,
        onFreeDays: Double? = nil
    ) {
        let source = Rating.Source.estimate("in the shape of the standard load profile H0")
        self.name = name
        self.kind = kind
        power = Rating(watts, "W", .estimate("rated powers of such appliances"))
        length = Rating(minutes, "min", source)
        start = Rating(hours, "h", source)
        onWorkday = Rating(likely, "1", source)
        onFreeDay = Rating(onFreeDays ?? likely, "1", source)
    }

    /// Something is boiled or warmed up at a time of day.
    private static func snack(
        _ time: String, hours: ClosedRange<Double>
    ) -> [ApplianceRatings] {
        [
            ApplianceRatings(
                "kettle-\(time)", .steady, watts: 1800...2200, minutes: 1.8...4, hours: hours,
                likely: 0.6),
            ApplianceRatings(
                "microwave-\(time)", .steady, watts: 900...1300, minutes: 1...4, hours: hours,
                likely: 0.35),
        ]
    }

    private static let others = [
        ApplianceRatings(
            "hob-noon", .thermostat, watts: 1400...2400, minutes: 18...50, hours: 11.3...12.8,
            likely: 0.3, onFreeDays: 0.8),
        ApplianceRatings(
            "hob-evening", .thermostat, watts: 1200...2200, minutes: 20...60, hours: 17.5...19.5,
            likely: 0.75),
        ApplianceRatings(
            "screen", .steady, watts: 70...160, minutes: 90...240, hours: 18.5...20.5,
            likely: 0.9),
        ApplianceRatings(
            "dishwasher", .dishwasher, watts: 1900...2200, minutes: 95...130, hours: 19...22,
            likely: 0.55),
        ApplianceRatings(
            "washing-machine", .washing, watts: 1900...2200, minutes: 70...110, hours: 8...17,
            likely: 0.22, onFreeDays: 0.6),
        ApplianceRatings(
            "vacuum-cleaner", .motor, watts: 600...900, minutes: 12...30, hours: 9...18,
            likely: 0.12, onFreeDays: 0.35),
    ]

    /// All of them, in the order in which they are drawn.
    static let all =
        snack("morning", hours: 6.2...9.0) + snack("forenoon", hours: 9.5...12.0)
        + snack("afternoon", hours: 14.5...17.0) + snack("evening", hours: 19.0...22.0) + others

    /// Its numbers by their names.
    var ratings: [(name: String, rating: Rating)] {
        [
            ("\(name).power", power), ("\(name).length", length), ("\(name).start", start),
            ("\(name).on-workday", onWorkday), ("\(name).on-free-day", onFreeDay),
        ]
    }

    /// One use, if there is one that day; all numbers are drawn in any case, so that one use does not move another.
    func drawn(
        onFreeDay isFree: Bool, people: Double, dayStart: Int,
        using generator: inout SeededGenerator
    ) -> ApplianceUse? {
        let likely = (isFree ? onFreeDay : onWorkday).value
        let isUsed = generator.nextFraction() < likely * (0.6 + 0.4 * people)
        let begin = start.drawn(using: &generator) * 3600
        let seconds = length.drawn(using: &generator) * 60
        let watts = power.drawn(using: &generator)
        guard isUsed else { return nil }
        return ApplianceUse(
            kind: kind, start: dayStart + Int(begin), seconds: Int(seconds), watts: watts)
    }
}

/// The numbers of a home: roof, load, meters and appliances.
struct HomeSpecification: ModelSpecification {
    var ratings: [(name: String, rating: Rating)] {
        HomeRatings.list + ApplianceRatings.all.flatMap(\.ratings)
    }
}
