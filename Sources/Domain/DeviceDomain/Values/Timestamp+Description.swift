/// As `2025-11-24T16:00:00.123Z` (ISO 8601, UTC).
extension Timestamp: CustomStringConvertible {
    public var description: String {
        let (days, time) = milliseconds.flooredDivision(by: 86_400_000)
        let hour = (time / 3_600_000).padded(to: 2)
        let minute = (time / 60_000 % 60).padded(to: 2)
        let second = (time / 1_000 % 60).padded(to: 2)
        return "\(CalendarDate(daysSinceEpoch: days))T\(hour):\(minute):\(second)"
            + ".\((time % 1_000).padded(to: 3))Z"
    }
}
