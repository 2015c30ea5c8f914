import DeviceDomain
import Testing

/// Dates, days of the week and times of day as people write them.
@Suite struct CalendarTests {
    @Test(arguments: [
        ("1970-01-01", 0, Weekday.thursday), ("2000-02-29", 11_016, .tuesday),
        ("2026-11-24", 20_781, .tuesday), ("1969-12-28", -4, .sunday),
        ("0001-01-01", -719_162, .monday), ("9999-12-31", 2_932_896, .friday),
    ])
    func aDateIsReadAndWritten(text: String, days: Int, weekday: Weekday) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.daysSinceEpoch == days)
        #expect(date.description == text)
        #expect(date.weekday == weekday)
    }

    @Test(arguments: [
        "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
        "0000-01-01", "26-01-01", "2026-1-01", "2026-01-01 ", "+026-01-01", "2026/01/01", "",
    ])
    func whatIsNoDateIsRefused(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func everyDayOfFourCenturiesIsReadBack() {
        var isSame = true
        for days in -146_097...146_097 {
            let date = CalendarDate(daysSinceEpoch: days)
            isSame = isSame && CalendarDate(date.description) == date
        }
        #expect(isSame)
    }

    @Test(arguments: [("00:00", 0), ("08:30", 510), ("23:59", 1_439)])
    func aTimeOfDayIsReadAndWritten(text: String, minutes: Int) {
        #expect(TimeOfDay(text)?.minutes == minutes)
        #expect(TimeOfDay(minutes: minutes)?.description == text)
    }

    @Test(arguments: ["24:00", "12:60", "8:30", "0830", "08:3", "08:30:00", "-1:00", ""])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(TimeOfDay(text) == nil)
    }

    @Test(arguments: [
        ("mon", "mon"), ("mon-fri", "mon-fri"), ("FRI-Mon", "mon,fri-sun"), ("sat,sun", "sat,sun"),
        ("mon,wed-thu,wed", "mon,wed,thu"), ("tue-tue", "tue"), ("mon-sun", "mon-sun"),
    ])
    func daysAreReadAndWritten(text: String, canonical: String) {
        #expect(Set<Weekday>(text)?.text == canonical)
    }

    @Test(arguments: ["", "mon,", "mo", "mon-", "-fri", "mon-wed-fri", "mon fri"])
    func whatAreNoDaysIsRefused(text: String) {
        #expect(Set<Weekday>(text) == nil)
    }
}
