internal import DeviceControl
internal import DeviceDomain
internal import GRDB

/// A schedule as columns.
enum ScheduleRow {
    /// Reads a row of the table `schedule`.
    /// - Throws: `DatabaseError` if a column holds what was never written.
    static func schedule(_ row: Row) throws -> Schedule {
        let arguments: Blob = row["arguments"]
        return Schedule(
            id: ScheduleID(number: row["number"]),
            command: ScheduledCommand(
                device: try StoredValue.required(DeviceID(rawValue: row["device"]), "device"),
                name: CommandName(rawValue: row["name"]),
                arguments: try StoredValue.required(arguments.object, "arguments")),
            rule: try rule(row), isPaused: row["isPaused"], history: history(row))
    }

    private static func rule(_ row: Row) throws -> ScheduleRule {
        let time = try StoredValue.required(TimeOfDay(minutes: row["minutes"]), "minutes")
        if let days: Int = row["days"] { return .weekly(time, on: weekdays(days)) }
        return .once(time, on: CalendarDate(daysSinceEpoch: row["date"]))
    }

    private static func history(_ row: Row) -> ScheduleHistory {
        func moment(_ column: String) -> Timestamp? {
            (row[column] as Int?).map(Timestamp.init(milliseconds:))
        }
        return ScheduleHistory(
            decidedUntil: Timestamp(milliseconds: row["decidedUntil"]), taken: moment("taken"),
            lastRun: moment("lastRun"), lastMissed: moment("lastMissed"))
    }

    /// The values of a new row, in the order of ``insertion``.
    static func arguments(
        _ command: ScheduledCommand, _ rule: ScheduleRule, of controller: ControllerID,
        in home: HomeID, from moment: Timestamp
    ) -> StatementArguments {
        let (days, date) = days(rule)
        return [
            controller.text, home.text, command.device.text, command.name.rawValue,
            Blob(command.arguments), rule.time.minutes, days, date, moment.milliseconds,
        ]
    }

    /// The days of the week as bits, or the date as days since the epoch; the other one is `nil`.
    static func days(_ rule: ScheduleRule) -> (days: Int?, date: Int?) {
        switch rule {
        case .weekly(_, let days): (bits(days), nil)
        case .once(_, let date): (nil, date.daysSinceEpoch)
        }
    }

    /// Monday is the lowest of seven bits.
    private static func bits(_ days: Set<Weekday>) -> Int {
        days.reduce(0) { $0 | 1 << ($1.rawValue - 1) }
    }

    private static func weekdays(_ bits: Int) -> Set<Weekday> {
        Set(Weekday.allCases.filter { bits & 1 << ($0.rawValue - 1) != 0 })
    }

    // MARK: Statements

    static let insertion = """
        INSERT INTO schedule
        (controller, home, device, name, arguments, minutes, days, date, decidedUntil)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
