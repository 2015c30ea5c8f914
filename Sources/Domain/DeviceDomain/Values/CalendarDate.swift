/// A day of the Gregorian calendar.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let daysSinceEpoch: Int

    public init(daysSinceEpoch: Int) { self.daysSinceEpoch = daysSinceEpoch }

    /// The day in which so many seconds after 1970-01-01T00:00 lie, by the same clock.
    public init(secondsSinceEpoch seconds: Int) {
        self.init(daysSinceEpoch: seconds.flooredDivision(by: 86_400).quotient)
    }

    /// - Returns: `nil` unless the year is 1…9999, and the month has that day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        // Years are counted from March here, so that a leap day is the last day of its year.
        let yearFromMarch = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        self.init(
            daysSinceEpoch: 365 * yearFromMarch + leapDays + dayOfYear - Self.fromYear0ToEpoch)
        guard parts == (year, month, day) else { return nil }
    }

    /// Reads `YYYY-MM-DD`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({
                $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Days from the first of March of the year 0 to 1970-01-01.
    private static let fromYear0ToEpoch = 719_468

    /// Year, month 1…12 and day 1…31.
    package var parts: (year: Int, month: Int, day: Int) {
        let (cycle, dayOfCycle) = (daysSinceEpoch + Self.fromYear0ToEpoch)
            .flooredDivision(by: 146_097)
        let leapDaysBefore = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDaysBefore) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday.allCases[(daysSinceEpoch + 3).flooredDivision(by: 7).remainder]
    }

    /// The day so many days later.
    public func advanced(byDays days: Int) -> CalendarDate {
        CalendarDate(daysSinceEpoch: daysSinceEpoch + days)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }
}

/// As `2025-11-24` (ISO 8601).
extension CalendarDate: CustomStringConvertible {
    public var description: String {
        let (year, month, day) = parts
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

extension Int {
    /// Quotient and remainder, the remainder never negative.
    func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The number in at least so many digits.
    func padded(to width: Int) -> String {
        let digits = String(magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
        return (self < 0 ? "-" : "") + zeros + digits
    }
}
