import DeviceDomain

/// The local time of the simulated homes: Central European Time the whole year, without summer time.
enum HomeClock {
    /// How far local time is ahead of UTC, in milliseconds.
    private static let offset = 3_600_000
    private static let day = 86_400_000
    /// The tropical year, in days (Julian year: 365.25).
    private static let daysOfYear = 365.25

    /// The hour of the day, from 0 to less than 24.
    static func hour(at world: Timestamp) -> Double {
        let local = (world.milliseconds + offset) % day
        return Double(local < 0 ? local + day : local) / 3_600_000
    }

    /// Days since the first of January 1970, local time.
    static func days(at world: Timestamp) -> Double {
        Double(world.milliseconds + offset) / Double(day)
    }

    /// The day of the year, from 0 to less than 365.25, as if all years were equally long.
    static func dayOfYear(at world: Timestamp) -> Double {
        let rest = days(at: world).truncatingRemainder(dividingBy: daysOfYear)
        return rest < 0 ? rest + daysOfYear : rest
    }

    /// A wave over the year, −1…1.
    /// - Parameter peak: the day of the year on which it is highest.
    static func season(at world: Timestamp, peak: Double) -> Double {
        Mathematics.cosine(2 * .pi * (dayOfYear(at: world) - peak) / daysOfYear)
    }

    /// A wave over the day, −1…1.
    /// - Parameter peak: the hour at which it is highest.
    static func daily(at world: Timestamp, peak: Double) -> Double {
        Mathematics.cosine(2 * .pi * (hour(at: world) - peak) / 24)
    }

    /// The whole minutes since Monday's midnight, 0…10079; 1970-01-01 was a Thursday.
    static func minuteOfWeek(at world: Timestamp) -> Int {
        let week = 7 * day
        let local = (world.milliseconds + offset + 3 * day) % week
        return (local < 0 ? local + week : local) / 60_000
    }
}
