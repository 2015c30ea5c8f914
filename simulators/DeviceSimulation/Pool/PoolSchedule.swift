import DeviceDomain

/// Which starts of a weekly schedule fall into a stretch of time.
enum PoolSchedule {
    private static let minutesOfWeek = 7 * 1440

    /// The program whose time came within `span`, if one's did; of two the later one.
    ///
    /// Times are of the homes' own clock, Central European Time.
    static func due(_ schedule: WeeklySchedule, within span: WorldSpan) -> PoolRobot.Program? {
        guard !schedule.entries.isEmpty else { return nil }
        let begin = span.end.advanced(by: .milliseconds(-Int(span.seconds * 1000)))
        let (first, last) = (minutesSinceMonday(begin), minutesSinceMonday(span.end))
        let passed = last - first
        return schedule.entries.last { entry in
            let minute = (entry.weekday - 1) * 1440 + entry.minuteOfDay
            let ahead = modulo(minute - first - 1, minutesOfWeek)
            return ahead < passed
        }?.program
    }

    /// Whole minutes since a Monday's midnight; 1970-01-01 was a Thursday.
    private static func minutesSinceMonday(_ world: Timestamp) -> Int {
        let local = world.milliseconds + 3_600_000 + 3 * 86_400_000
        return Int((Double(local) / 60_000).rounded(.down))
    }

    private static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
