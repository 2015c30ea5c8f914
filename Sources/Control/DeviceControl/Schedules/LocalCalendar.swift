public import DeviceDomain

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Dates and times of day in one time zone, daylight-saving time included.
public struct LocalCalendar: Sendable {
    /// Seconds that local time is ahead of UTC at a moment.
    private let offset: @Sendable (Timestamp) -> Int

    /// A calendar of a time zone.
    /// - Parameter offset: seconds that local time is ahead of UTC at a moment.
    public init(offset: @escaping @Sendable (Timestamp) -> Int) { self.offset = offset }

    /// The time zone of the system, or of the variable `TZ`.
    public static let system = LocalCalendar { moment in
        var seconds = time_t(moment.milliseconds / 1_000)
        var parts = tm()
        return localtime_r(&seconds, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
    }

    /// The date at a moment.
    public func date(of moment: Timestamp) -> CalendarDate {
        CalendarDate(secondsSinceEpoch: localSeconds(of: moment))
    }

    /// What clocks show at a moment, in seconds since the epoch of a zone without an offset.
    package func localSeconds(of moment: Timestamp) -> Int {
        moment.milliseconds / 1_000 + offset(moment)
    }

    /// The moment at which clocks show a time. Where they show it twice, as at the end of
    /// daylight-saving time, it is the first one; where they never show it, as at its beginning,
    /// it is the moment at which they are put forward.
    public func moment(of time: TimeOfDay, on date: CalendarDate) -> Timestamp {
        let local = date.daysSinceEpoch * 86_400 + time.minutes * 60
        // No zone is further than 14 hours from UTC, and none changes twice in two days.
        let before = offset(Timestamp(seconds: local - 86_400))
        let after = offset(Timestamp(seconds: local + 86_400))
        let candidates = [local - before, local - after].sorted().map(Timestamp.init(seconds:))
        let showing = candidates.first {
            $0.milliseconds / 1_000 + offset($0) == local
        }
        return showing ?? change(between: candidates[0], and: candidates[1])
    }

    /// The moment at which a day begins.
    package func midnight(of date: CalendarDate) -> Timestamp {
        moment(of: .midnight, on: date)
    }

    /// The first moment with the later offset, by bisection.
    private func change(between first: Timestamp, and last: Timestamp) -> Timestamp {
        var (low, high) = (first.milliseconds / 1_000, last.milliseconds / 1_000)
        let old = offset(first)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            if offset(Timestamp(seconds: middle)) == old { low = middle } else { high = middle }
        }
        return Timestamp(seconds: high)
    }
}

extension Timestamp {
    fileprivate init(seconds: Int) { self.init(milliseconds: seconds * 1_000) }
}
