internal import DeviceControl
internal import DeviceDomain
internal import Markup

/// The times below a chart: moments of the calendar at steps that fit its length, each with as much of its date as
/// tells it apart.
struct TimeAxis: Sendable {
    let texts: Texts
    let period: ClosedRange<Timestamp>

    /// A moment with its text, and where it lies: 0 at the beginning of the period, 1 at its end.
    struct Mark: Hashable, Sendable {
        let part: Double
        let text: String
        /// Whether a narrow screen leaves it out.
        let isMinor: Bool
    }

    /// The marks, in order; all of them are within the period.
    var marks: [Mark] {
        let calendar = texts.format.calendar
        let (first, last) = (
            calendar.date(of: period.lowerBound), calendar.date(of: period.upperBound)
        )
        let hours =
            Double(period.upperBound.milliseconds - period.lowerBound.milliseconds) / 3_600_000
        switch hours {
        case ..<0.3: return times(every: 60, minorEvery: 3) { timeOrDay($0) }
        case ..<1.3: return times(every: 10 * 60, minorEvery: 2) { timeOrDay($0) }
        case ..<3.5: return times(every: 30 * 60, minorEvery: 2) { timeOrDay($0) }
        case ..<10: return times(every: 3_600, minorEvery: 2) { timeOrDay($0) }
        case ..<30: return times(every: 3 * 3_600, minorEvery: 2) { timeOrDay($0) }
        case ..<(11 * 24):
            return days(from: first, to: last, step: 1, minorEvery: 2) { texts.format.day($0) }
        case ..<(40 * 24):
            return days(from: first, to: last, step: 5, minorEvery: 2) {
                texts.format.dayOfMonth($0)
            }
        default:
            let months = stride(from: first.monthNumber, through: last.monthNumber, by: 1)
            return months.enumerated().compactMap { index, number in
                CalendarDate(year: number / 12, month: number % 12 + 1, day: 1).flatMap { date in
                    mark(midnight(of: date), texts.format.month(date), isMinor: index % 2 == 1)
                }
            }
        }
    }

    /// The axis below a drawing: its texts are not scaled with the drawing above.
    func svg() -> HTML {
        element("svg", .class("axis"), .decorative, .init("focusable", "false")) {
            marks.map { mark in
                element(
                    "text", .class(mark.isMinor ? "minor" : ""),
                    .init("x", "\(LineChart.text(mark.part * 100))%"), .init("y", "13"),
                    text: mark.text)
            }
        }
    }

    // MARK: Marks

    /// Times of day at multiples of a step in seconds.
    private func times(
        every step: Int, minorEvery: Int, _ text: (Timestamp) -> String
    ) -> [Mark] {
        let start = period.lowerBound
        let local = texts.format.calendar.localSeconds(of: start)
        let first = start.milliseconds / 1_000 + (step - local % step) % step
        let moments = stride(from: first, through: period.upperBound.milliseconds / 1_000, by: step)
        return moments.compactMap { second in
            let moment = Timestamp(milliseconds: second * 1_000)
            let number = texts.format.calendar.localSeconds(of: moment) / step
            return mark(moment, text(moment), isMinor: number % minorEvery != 0)
        }
    }

    private func days(
        from first: CalendarDate, to last: CalendarDate, step: Int, minorEvery: Int,
        _ text: (CalendarDate) -> String
    ) -> [Mark] {
        let numbers = stride(
            from: first.daysSinceEpoch, through: last.daysSinceEpoch, by: step)
        return numbers.enumerated().compactMap { index, number in
            let date = CalendarDate(daysSinceEpoch: number)
            return mark(midnight(of: date), text(date), isMinor: index % minorEvery != 0)
        }
    }

    /// `nil` outside the period, and where a text would not have room.
    private func mark(_ moment: Timestamp, _ text: String, isMinor: Bool) -> Mark? {
        let start = period.lowerBound.milliseconds
        let length = max(period.upperBound.milliseconds - start, 1)
        let part = Double(moment.milliseconds - start) / Double(length)
        guard (0...0.97).contains(part) else { return nil }
        return Mark(part: part, text: text, isMinor: isMinor)
    }

    private func timeOrDay(_ moment: Timestamp) -> String {
        let date = texts.format.calendar.date(of: moment)
        return moment == midnight(of: date) ? texts.format.day(date) : texts.format.time(moment)
    }

    private func midnight(of date: CalendarDate) -> Timestamp {
        texts.format.calendar.midnight(of: date)
    }
}

extension CalendarDate {
    fileprivate var monthNumber: Int { parts.year * 12 + parts.month - 1 }
}
