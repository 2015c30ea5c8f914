public import DeviceDomain

/// When a scheduled command is due, by the clock on the wall.
public enum ScheduleRule: Hashable, Sendable {
    /// At a time of day on some days of every week.
    case weekly(TimeOfDay, on: Set<Weekday>)
    /// Once, on a date.
    case once(TimeOfDay, on: CalendarDate)

    /// The time of day.
    public var time: TimeOfDay {
        switch self {
        case .weekly(let time, _), .once(let time, _): time
        }
    }

    /// The first moment after another at which it is due; `nil` for never.
    public func next(after moment: Timestamp, in calendar: LocalCalendar) -> Timestamp? {
        switch self {
        case .once(let time, let date):
            let due = calendar.moment(of: time, on: date)
            return due > moment ? due : nil
        case .weekly(let time, let days):
            // Today may be over, and the same weekday comes again seven days later.
            let today = calendar.date(of: moment)
            return (0...7).lazy.map(today.advanced(byDays:))
                .filter { days.contains($0.weekday) }
                .map { calendar.moment(of: time, on: $0) }
                .first { $0 > moment }
        }
    }
}

/// As `08:30 mon-fri` or `08:30 2026-12-24`.
extension ScheduleRule: CustomStringConvertible {
    public var description: String {
        switch self {
        case .weekly(let time, let days):
            days.count == Weekday.allCases.count ? "\(time) daily" : "\(time) \(days.text)"
        case .once(let time, let date): "\(time) \(date)"
        }
    }
}
