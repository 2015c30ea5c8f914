import DeviceDomain

/// The same by whole seconds since 1970-01-01T00:00Z, and where the sun stands: the homes are at 50° north,
/// 10° east.
extension HomeClock {
    /// In radians.
    static let latitude = 50 * Double.pi / 180
    private static let longitudeHours = 10.0 / 15

    /// The day since 1970-01-01, local time.
    static func day(at second: Int) -> Int { (second + 3600).floored(by: 86400) }

    /// The second at which a local day begins.
    static func start(ofDay day: Int) -> Int { day * 86400 - 3600 }

    /// The hour of the day, 0..<24.
    static func hour(at second: Int) -> Double {
        hour(at: Timestamp(milliseconds: second * 1000))
    }

    /// Whether a day is a Saturday or a Sunday; day 0 was a Thursday.
    static func isWeekend(day: Int) -> Bool { (day + 3).rest(by: 7) >= 5 }

    /// From −1 in the middle of January to 1 in the middle of July.
    static func season(at second: Int) -> Double {
        -season(at: Timestamp(milliseconds: second * 1000), peak: 15)
    }

    /// Where the sun stands.
    static func sun(at second: Int) -> SunPosition {
        let days = Double(second) / 86400
        let declination = 23.44 * .pi / 180 * Mathematics.sine(2 * .pi * (days - 79.3) / 365.2425)
        let hourAngle = (hour(at: second) - 1 + longitudeHours - 12) * .pi / 12
        let (sineOfDeclination, cosine) = (
            Mathematics.sine(declination), Mathematics.cosine(declination)
        )
        let (sineOfLatitude, cosineOfLatitude) = (
            Mathematics.sine(latitude), Mathematics.cosine(latitude)
        )
        let level = cosine * Mathematics.cosine(hourAngle)
        return SunPosition(
            east: -cosine * Mathematics.sine(hourAngle),
            north: cosineOfLatitude * sineOfDeclination - sineOfLatitude * level,
            up: sineOfLatitude * sineOfDeclination + cosineOfLatitude * level)
    }
}

/// A direction of length 1.
struct SunPosition: Hashable, Sendable {
    let east, north, up: Double
}
