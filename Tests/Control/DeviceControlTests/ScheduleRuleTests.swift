import DeviceControl
import DeviceDomain
import Testing

/// When a scheduled command is due, also where clocks are put forward and back.
@Suite struct ScheduleRuleTests {
    /// Central European time in 2026: summer time from 29 March to 25 October, 01:00 UTC each.
    private let berlin = LocalCalendar { moment in
        let summer = Self.utc("2026-03-29", "01:00")..<Self.utc("2026-10-25", "01:00")
        return summer.contains(moment) ? 7_200 : 3_600
    }
    private let utc = LocalCalendar { _ in 0 }

    @Test func aDailyCommandIsDueOnceADayOverAYear() throws {
        let rule = ScheduleRule.weekly(try time("02:30"), on: Set(Weekday.allCases))
        var moment = Self.utc("2026-01-01", "00:00")
        var dates: [CalendarDate] = []
        for _ in 0..<365 {
            moment = try #require(rule.next(after: moment, in: berlin))
            dates.append(berlin.date(of: moment))
        }
        #expect(dates.count == Set(dates).count)
        #expect(dates.first?.description == "2026-01-01")
        #expect(dates.last?.description == "2026-12-31")
    }

    @Test func aTimeThatIsSkippedIsDueWhenClocksArePutForward() throws {
        let due = berlin.moment(of: try time("02:30"), on: try date("2026-03-29"))
        #expect(due == Self.utc("2026-03-29", "01:00"))
        #expect(berlin.moment(of: try time("03:00"), on: try date("2026-03-29")) == due)
        #expect(
            berlin.moment(of: try time("01:59"), on: try date("2026-03-29"))
                == Self.utc("2026-03-29", "00:59"))
    }

    @Test func aTimeThatComesTwiceIsDueTheFirstTime() throws {
        let rule = ScheduleRule.weekly(try time("02:30"), on: Set(Weekday.allCases))
        let first = Self.utc("2026-10-25", "00:30")
        #expect(rule.next(after: Self.utc("2026-10-24", "20:00"), in: berlin) == first)
        #expect(rule.next(after: first, in: berlin) == Self.utc("2026-10-26", "01:30"))
    }

    @Test func onlyTheNamedDaysCount() throws {
        let rule = ScheduleRule.weekly(try time("08:30"), on: [.monday, .friday])
        let tuesday = Self.utc("2026-11-24", "12:00")
        let friday = try #require(rule.next(after: tuesday, in: berlin))
        #expect(friday == Self.utc("2026-11-27", "07:30"))
        #expect(rule.next(after: friday, in: berlin) == Self.utc("2026-11-30", "07:30"))
    }

    @Test func theSameWeekdayComesAgainAfterAWeek() throws {
        let rule = ScheduleRule.weekly(try time("08:30"), on: [.tuesday])
        #expect(
            rule.next(after: Self.utc("2026-11-24", "08:30"), in: utc)
                == Self.utc("2026-12-01", "08:30"))
    }

    @Test func aRunThatNobodyDecidedCountsAsMissedOnceItCanStartNoMore() throws {
        let rule = ScheduleRule.weekly(try time("08:30"), on: Set(Weekday.allCases))
        let due = Self.utc("2026-11-25", "08:30")
        let schedule = Schedule(
            id: ScheduleID(number: 1),
            command: ScheduledCommand(
                device: try DeviceID("sweeper-1"), name: .locate, arguments: [:]),
            rule: rule, history: ScheduleHistory(decidedUntil: Self.utc("2026-11-24", "12:00")))
        func missed(at moment: Timestamp) -> Timestamp? {
            schedule.withMisses(until: moment, in: utc).history.lastMissed
        }
        #expect(missed(at: due.advanced(by: .seconds(9))) == nil)
        #expect(missed(at: due.advanced(by: .seconds(10))) == due)
        #expect(missed(at: Self.utc("2026-11-27", "08:00")) == Self.utc("2026-11-26", "08:30"))
    }

    @Test func aDateIsDueOnce() throws {
        let rule = ScheduleRule.once(try time("08:30"), on: try date("2026-12-24"))
        let due = Self.utc("2026-12-24", "07:30")
        #expect(rule.next(after: Self.utc("2026-11-24", "08:30"), in: berlin) == due)
        #expect(rule.next(after: due, in: berlin) == nil)
    }

    @Test(arguments: [(0, true), (9_999, true), (10_000, false), (3_600_000, false)])
    func aRunMayStartTenSecondsLateAtMost(lateness: Int, mayStart: Bool) throws {
        let due = Self.utc("2026-11-24", "08:30")
        let schedule = try daily(decidedUntil: due.advanced(by: .seconds(-1)))
        let outlook = schedule.outlook(at: due.advanced(by: .milliseconds(lateness)), in: utc)
        #expect(outlook.due == (mayStart ? due : nil))
        #expect(outlook.missed == (mayStart ? [] : [due]))
        #expect(outlook.next == Self.utc("2026-11-25", "08:30"))
    }

    @Test func everyRunOfADarkTimeIsMissed() throws {
        let schedule = try daily(decidedUntil: Self.utc("2026-11-20", "09:00"))
        let outlook = schedule.outlook(at: Self.utc("2026-11-24", "08:29"), in: utc)
        #expect(
            outlook.missed.map { utc.date(of: $0).description }
                == ["2026-11-21", "2026-11-22", "2026-11-23"])
        #expect(outlook.due == nil)
    }

    @Test func aClockThatIsPutBackRepeatsNothing() throws {
        let due = Self.utc("2026-11-24", "08:30")
        let schedule = try daily(decidedUntil: due)
        let outlook = schedule.outlook(at: due.advanced(by: .seconds(-3_600)), in: utc)
        #expect(outlook.missed.isEmpty && outlook.due == nil)
        #expect(
            schedule.next(after: due.advanced(by: .seconds(-3_600)), in: utc)
                == Self.utc("2026-11-25", "08:30"))
    }

    // MARK: Values

    private func daily(decidedUntil: Timestamp) throws -> Schedule {
        Schedule(
            id: ScheduleID(number: 1),
            command: ScheduledCommand(
                device: try DeviceID("sweeper-1"), name: CommandName(rawValue: "start-cleaning"),
                arguments: [:]),
            rule: .weekly(try time("08:30"), on: Set(Weekday.allCases)),
            history: ScheduleHistory(decidedUntil: decidedUntil))
    }

    private func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }
    private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private static func utc(_ date: String, _ time: String) -> Timestamp {
        let days = CalendarDate(date)?.daysSinceEpoch ?? 0
        return Timestamp(milliseconds: (days * 1_440 + (TimeOfDay(time)?.minutes ?? 0)) * 60_000)
    }
}
