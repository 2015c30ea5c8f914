import Homeport

/// A moment as people write it: a date, a date and time, a time of today, or how long ago it was.
enum MomentText {
    /// The moment that a text stands for; `nil` for anything else.
    ///
    /// `24h` is so long ago; `08:30` is when clocks last showed that; `2026-12-24`, `2026-12-24 08:30` and `2026-12-24T08:30:15` are
    /// local time, unless `Z` or an offset such as `+02:00` follows.
    static func moment(
        _ text: String, now: Timestamp = MachineClock.wallTime, in calendar: LocalCalendar = .system
    ) -> Timestamp? {
        if let duration = Duration(text: text) { return now.advanced(by: .zero - duration) }
        if let date = CalendarDate(text) { return moment("00:00", on: date, in: calendar) }
        if let time = TimeOfDay(text) {
            let today = calendar.date(of: now)
            let moment = calendar.moment(of: time, on: today)
            return moment <= now
                ? moment : calendar.moment(of: time, on: today.advanced(byDays: -1))
        }
        guard let mark = text.firstIndex(where: { $0 == "T" || $0 == " " }),
            let date = CalendarDate(String(text[..<mark]))
        else { return nil }
        return moment(text[text.index(after: mark)...], on: date, in: calendar)
    }

    /// The moment of `HH:MM[:SS[.sss]][Z|±HH:MM]` on a date.
    private static func moment(
        _ text: Substring, on date: CalendarDate, in calendar: LocalCalendar
    ) -> Timestamp? {
        let clock = text.prefix { $0 != "Z" && $0 != "+" && $0 != "-" }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            let time = TimeOfDay(parts.prefix(2).joined(separator: ":")),
            let seconds = parts.count == 2 ? 0 : milliseconds(parts[2])
        else { return nil }
        let minute =
            if clock.endIndex == text.endIndex {
                calendar.moment(of: time, on: date).milliseconds
            } else if let offset = minutesAheadOfUTC(text[clock.endIndex...]) {
                (date.daysSinceEpoch * 1_440 + time.minutes - offset) * 60_000
            } else {
                Int?.none
            }
        return minute.map { Timestamp(milliseconds: $0 + seconds) }
    }

    /// `SS` or `SS.sss` in milliseconds.
    private static func milliseconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
            parts[0].utf8.count == 2, let seconds = Int(parts[0]), seconds < 60
        else { return nil }
        guard parts.count == 2 else { return seconds * 1_000 }
        guard (1...9).contains(parts[1].utf8.count) else { return nil }
        return Int((parts[1] + "00").prefix(3)).map { seconds * 1_000 + $0 }
    }

    private static func minutesAheadOfUTC(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        guard let time = TimeOfDay(String(text.dropFirst())) else { return nil }
        return text.first == "-" ? -time.minutes : time.minutes
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
