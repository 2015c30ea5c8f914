package import DeviceControl
package import DeviceDomain

/// A schedule as columns.
package enum ScheduleRow {
    /// What a query must select for ``schedule(_:)``.
    package static let columns =
        ["number"] + commandColumns + [
            "decidedUntil", "isPaused", "taken", "lastRun", "lastMissed",
        ]

    /// What is sent and when.
    package static let commandColumns = ["device", "name", "arguments", "minutes", "days", "date"]

    /// The columns of a new row that ``values(of:_:for:in:from:)`` gives values to.
    package static let newColumns = ["controller", "home"] + commandColumns + ["decidedUntil"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written.
    package static func schedule(_ row: some StoredRow) throws -> Schedule {
        var columns = ColumnReader(row)
        let id = ScheduleID(number: try columns.integer("number"))
        let command = ScheduledCommand(
            device: try StoredValue.required(DeviceID(rawValue: columns.text("device")), "device"),
            name: CommandName(rawValue: try columns.text("name")),
            arguments: try columns.object("arguments"))
        let rule = try rule(&columns)
        let (decidedUntil, isPaused) = (
            try columns.moment("decidedUntil"), try columns.flag("isPaused")
        )
        return Schedule(
            id: id, command: command, rule: rule, isPaused: isPaused,
            history: ScheduleHistory(
                decidedUntil: decidedUntil, taken: columns.momentIfAny(),
                lastRun: columns.momentIfAny(), lastMissed: columns.momentIfAny()))
    }

    private static func rule(_ columns: inout ColumnReader<some StoredRow>) throws -> ScheduleRule {
        let time = try StoredValue.required(
            TimeOfDay(minutes: columns.integer("minutes")), "minutes")
        let (days, date) = (columns.integerIfAny(), columns.integerIfAny())
        if let days { return .weekly(time, on: weekdays(days)) }
        return .once(
            time, on: CalendarDate(daysSinceEpoch: try StoredValue.required(date, "date")))
    }

    /// The values of ``newColumns``.
    package static func values(
        of command: ScheduledCommand, _ rule: ScheduleRule, for controller: ControllerID,
        in home: HomeID, from moment: Timestamp
    ) -> [ColumnValue] {
        [.text(controller.text), .text(home.text)] + values(of: command, rule) + [.moment(moment)]
    }

    /// The values of ``commandColumns``. The days of the week are bits, Monday the lowest of seven; a date is days
    /// since the epoch.
    package static func values(of command: ScheduledCommand, _ rule: ScheduleRule) -> [ColumnValue]
    {
        let (days, date): (ColumnValue, ColumnValue) =
            switch rule {
            case .weekly(_, let days): (.integer(bits(days)), .null)
            case .once(_, let date): (.null, .integer(date.daysSinceEpoch))
            }
        return [
            .text(command.device.text), .text(command.name.rawValue), .object(command.arguments),
            .integer(rule.time.minutes), days, date,
        ]
    }

    private static func bits(_ days: Set<Weekday>) -> Int {
        days.reduce(0) { $0 | 1 << ($1.rawValue - 1) }
    }

    private static func weekdays(_ bits: Int) -> Set<Weekday> {
        Set(Weekday.allCases.filter { bits & 1 << ($0.rawValue - 1) != 0 })
    }
}
