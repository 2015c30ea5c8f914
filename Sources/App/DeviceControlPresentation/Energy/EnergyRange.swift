internal import DeviceControl
internal import DeviceDomain

/// How long a time an energy report is about.
public enum EnergyRange: String, Hashable, Sendable, CaseIterable {
    /// 60 minutes.
    case hour
    /// The last 24 hours, or a day before today.
    case day
    /// Seven days; of the newest one the last is today.
    case week
    /// 31 days; of the newest one the last is today.
    case month
    /// Twelve months; of the newest one the last is this month.
    case year

    /// When the bar of a chart begins that a moment belongs to: an hour, a day or a month; `nil` for a range
    /// without bars.
    func bar(of moment: Timestamp, in calendar: LocalCalendar) -> Timestamp? {
        let date = calendar.date(of: moment)
        switch self {
        case .hour: return nil
        case .day:
            let seconds = calendar.localSeconds(of: moment)
            return moment.advanced(
                by: .milliseconds(-(seconds % 3_600) * 1_000 - moment.milliseconds % 1_000))
        case .week, .month: return calendar.midnight(of: date)
        case .year: return calendar.midnight(of: date.firstOfMonth(monthsBefore: 0))
        }
    }
}

extension CalendarDate {
    /// The first day of its month, or of an earlier one.
    func firstOfMonth(monthsBefore: Int) -> CalendarDate {
        let months = parts.year * 12 + parts.month - 1 - monthsBefore
        return CalendarDate(year: months / 12, month: months % 12 + 1, day: 1) ?? self
    }
}
