public import DeviceDomain

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the sun does at a place.
public enum SunEvent: String, Hashable, Sendable, CaseIterable {
    /// Its upper edge appears at the horizon.
    case sunrise
    /// Its upper edge disappears.
    case sunset
}

/// A place on the earth, by which the sun rises and sets.
public struct GeographicPlace: Hashable, Sendable {
    /// Degrees north of the equator, −90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180…180.
    public let longitude: Double

    /// - Returns: `nil` unless both are in their ranges.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The first moment after another at which the sun rises or sets; `nil` where it does neither for a year.
    public func next(_ event: SunEvent, after moment: Timestamp) -> Timestamp? {
        let day = CalendarDate(secondsSinceEpoch: moment.milliseconds / 1_000)
        return (-1...366).lazy.compactMap { self.moment(of: event, on: day.advanced(byDays: $0)) }
            .first { $0 > moment }
    }

    /// When the sun rises or sets in the day whose noon at the place is on a date; `nil` in a polar day or night.
    ///
    /// The equations are those of NOAA's solar calculator (gml.noaa.gov/grad/solcalc), after J. Meeus,
    /// "Astronomical Algorithms", chapters 22, 25 and 28: exact to a minute between the polar circles, for years
    /// around 2000. The sun's centre is then 50′ below the horizon, for refraction and its radius. Hills and the
    /// height of the place do not count.
    func moment(of event: SunEvent, on date: CalendarDate) -> Timestamp? {
        let midnight = Double(date.daysSinceEpoch) * 1_440
        var minutes = 720 - 4 * longitude
        // The sun moves on until then, so the second look is at the time that the first one finds.
        for _ in 0..<3 {
            let sun = SunPosition(minutesSinceEpoch: midnight + minutes)
            guard let angle = sun.hourAngleAtHorizon(ofLatitude: latitude) else { return nil }
            let side = event == .sunrise ? -angle : angle
            minutes = 720 + 4 * (side - longitude) - sun.equationOfTime
        }
        return Timestamp(milliseconds: Int(((midnight + minutes) * 60_000).rounded()))
    }
}

/// Where the sun is seen from the earth.
private struct SunPosition {
    /// Degrees north of the equator of the sky.
    let declination: Double
    /// How far a sundial is ahead of a clock, in minutes.
    let equationOfTime: Double

    init(minutesSinceEpoch minutes: Double) {
        // Centuries since 2000-01-01T12:00.
        let century = (minutes / 1_440 + 2_440_587.5 - 2_451_545) / 36_525
        let longitude = 280.46646 + century * (36_000.76983 + century * 0.0003032)
        let anomaly = 357.52911 + century * (35_999.05029 - century * 0.0001537)
        let eccentricity = 0.016708634 - century * (0.000042037 + century * 0.0000001267)
        let centre =
            sine(anomaly) * (1.914602 - century * (0.004817 + century * 0.000014))
            + sine(2 * anomaly) * (0.019993 - century * 0.000101) + sine(3 * anomaly) * 0.000289
        let node = 125.04 - 1_934.136 * century
        let apparentLongitude = longitude + centre - 0.00569 - 0.00478 * sine(node)
        let meanObliquity =
            23
            + (26 + (21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))) / 60)
            / 60
        let obliquity = meanObliquity + 0.00256 * cosine(node)
        declination = degrees(asin(sine(obliquity) * sine(apparentLongitude)))
        let half = tan(radians(obliquity / 2))
        let y = half * half
        equationOfTime =
            4
            * degrees(
                y * sine(2 * longitude) - 2 * eccentricity * sine(anomaly)
                    + 4 * eccentricity * y * sine(anomaly) * cosine(2 * longitude)
                    - y * y / 2 * sine(4 * longitude)
                    - 1.25 * eccentricity * eccentricity * sine(2 * anomaly))
    }

    /// How far the sun is from the south, in degrees, when it rises or sets; `nil` where it does neither.
    func hourAngleAtHorizon(ofLatitude latitude: Double) -> Double? {
        let cosineOfAngle =
            cosine(90.833) / (cosine(latitude) * cosine(declination))
            - tan(radians(latitude)) * tan(radians(declination))
        return cosineOfAngle.magnitude <= 1 ? degrees(acos(cosineOfAngle)) : nil
    }
}

private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
private func sine(_ degrees: Double) -> Double { sin(radians(degrees)) }
private func cosine(_ degrees: Double) -> Double { cos(radians(degrees)) }
