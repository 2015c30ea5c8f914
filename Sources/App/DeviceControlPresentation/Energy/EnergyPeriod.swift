internal import DeviceControl
public import DeviceDomain
internal import History

/// The time that an energy report is about.
public struct EnergyPeriod: Hashable, Sendable {
    /// How long it is.
    public let range: EnergyRange
    /// How many such times come after it, up to the newest sample.
    public let stepsBack: Int
    /// From when to when (world clock).
    public let span: ClosedRange<Timestamp>
    /// The length of the periods whose means are read, in milliseconds. Within a period power from the grid and into
    /// it cancel each other, so that they are short; more than some thousand would keep a page waiting, and what is
    /// older is kept in longer ones only.
    let reading: Int
    private let newest: Timestamp
    /// The shortest periods that are read, in milliseconds.
    fileprivate static let detail = 10_000

    /// - Parameters:
    ///   - stepsBack: 0 or more; what reaches further back than the calendar counts as the first time of it.
    ///   - newest: when the newest sample was taken.
    init(
        _ range: EnergyRange, _ stepsBack: Int = 0, before newest: Timestamp,
        in calendar: LocalCalendar
    ) {
        self.range = range
        self.stepsBack = stepsBack
        self.newest = newest
        let start = range.start(stepsBack, before: newest, in: calendar)
        let next = range.end(stepsBack, before: newest, in: calendar)
        span = start...max(start, next)
        reading = max(range.reading, Self.shortest(at: start, before: newest))
    }

    /// The length of the shortest periods of which means are kept from a moment on, in milliseconds.
    private static func shortest(at moment: Timestamp, before newest: Timestamp) -> Int {
        let age = newest.milliseconds - moment.milliseconds
        return (HistoryTier.allCases.first { age <= $0.age } ?? .hours).resolution
    }

    /// A time in which shorter means are read, and their length in milliseconds.
    struct Detail: Hashable {
        let span: Range<Timestamp>
        let reading: Int
    }

    /// The periods of ``reading`` in which the time begins and ends, as finely as they are kept: of a mean it is not known
    /// how much of it is from before or after a moment.
    /// - Parameter first: when the first sample that is kept was taken.
    func ends(from first: Timestamp) -> Set<Detail> {
        let details = [max(first, span.lowerBound), span.upperBound].map { end in
            let period = end.milliseconds.period(of: reading)
            let start = Timestamp(milliseconds: period * reading)
            return Detail(
                span: start..<start.advanced(by: .milliseconds(reading)),
                reading: max(Self.shortest(at: end, before: newest), Self.detail))
        }
        return Set(details.filter { $0.reading < reading })
    }

    /// The length of what a column of the chart shows, in milliseconds: some 300 to 400 columns.
    var column: Int { max(range.column, reading) }
}

extension EnergyRange {
    /// What ``EnergyPeriod/reading`` is at least, in milliseconds.
    fileprivate var reading: Int {
        switch self {
        case .hour: EnergyPeriod.detail
        case .day, .week: 300_000
        case .month, .year: 3_600_000
        }
    }

    /// What ``EnergyPeriod/column`` is at least.
    fileprivate var column: Int {
        switch self {
        case .hour: 10_000
        case .day: 300_000
        case .week: 1_800_000
        case .month: 7_200_000
        case .year: 86_400_000
        }
    }

    fileprivate func start(
        _ steps: Int, before newest: Timestamp, in calendar: LocalCalendar
    ) -> Timestamp {
        let today = calendar.date(of: newest)
        return switch self {
        case .hour: newest.advanced(by: .seconds(-3_600 * (steps + 1)))
        case .day:
            steps == 0
                ? newest.advanced(by: .seconds(-86_400))
                : calendar.midnight(of: today.advanced(byDays: -steps))
        case .week: calendar.midnight(of: today.advanced(byDays: -6 - 7 * steps))
        case .month: calendar.midnight(of: today.advanced(byDays: -30 - 31 * steps))
        case .year: calendar.midnight(of: today.firstOfMonth(monthsBefore: 11 + 12 * steps))
        }
    }

    /// The newest sample, or the last millisecond before the next time begins; of a day before today its own last one.
    fileprivate func end(
        _ steps: Int, before newest: Timestamp, in calendar: LocalCalendar
    ) -> Timestamp {
        guard steps > 0 else { return newest }
        let next =
            self == .day
            ? calendar.midnight(of: calendar.date(of: newest).advanced(byDays: 1 - steps))
            : start(steps - 1, before: newest, in: calendar)
        return next.advanced(by: .milliseconds(-1))
    }
}
