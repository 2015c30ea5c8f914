/// As `2025-11-24T16:00:00.123Z` (ISO 8601, UTC).
extension Timestamp: CustomStringConvertible {
    public var description: String {
        let (days, time) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = Self.date(daysSinceEpoch: days)
        let hour = time / 3_600_000
        let minute = time / 60_000 % 60
        let second = time / 1_000 % 60
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
            + ".\(padded(time % 1_000, 3))Z"
    }

    /// The date in the Gregorian calendar. Years are counted from March here, so that a leap day is
    /// the last day of its year.
    private static func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let daysFromYear0ToEpoch = 719_468
        let (cycle, dayOfCycle) = (days + daysFromYear0ToEpoch).flooredDivision(by: 146_097)
        let leapDaysBefore = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDaysBefore) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension Int {
    /// Quotient and remainder, the remainder never negative.
    fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
