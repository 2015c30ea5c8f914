internal import DeviceControl
internal import DeviceDomain

/// How far back an energy report reaches, up to the newest sample.
public enum EnergyRange: String, Hashable, Sendable, CaseIterable {
    /// The last hour.
    case hour
    /// The last 24 hours.
    case day
    /// Today and the six days before.
    case week
    /// Today and the 30 days before.
    case month
    /// This month and the eleven before.
    case year

    /// The length of the periods whose means are read. Within a period power from the grid and into it cancel each
    /// other, so that they are short; more than some thousand would keep a page waiting.
    var reading: Duration {
        switch self {
        case .hour: .seconds(10)
        case .day, .week: .seconds(300)
        case .month, .year: .seconds(3_600)
        }
    }

    /// The length of what a column of the chart shows, in milliseconds: some 300 to 400 columns.
    var column: Int {
        switch self {
        case .hour: 10_000
        case .day: 300_000
        case .week: 1_800_000
        case .month: 7_200_000
        case .year: 86_400_000
        }
    }

    /// When it begins.
    func start(before end: Timestamp, in calendar: LocalCalendar) -> Timestamp {
        let today = calendar.date(of: end)
        return switch self {
        case .hour: end.advanced(by: .seconds(-3_600))
        case .day: end.advanced(by: .seconds(-86_400))
        case .week: calendar.midnight(of: today.advanced(byDays: -6))
        case .month: calendar.midnight(of: today.advanced(byDays: -30))
        case .year: calendar.midnight(of: today.firstOfMonth(monthsBefore: 11))
        }
    }

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
    fileprivate func firstOfMonth(monthsBefore: Int) -> CalendarDate {
        let months = parts.year * 12 + parts.month - 1 - monthsBefore
        return CalendarDate(year: months / 12, month: months % 12 + 1, day: 1) ?? self
    }
}
