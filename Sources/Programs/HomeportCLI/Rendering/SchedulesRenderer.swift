import Homeport
import TerminalOutput

/// The schedules of a home, as `schedule list` prints them.
struct SchedulesRenderer: Sendable {
    let style: ListStyle
    var layout = Layout.plain
    /// What the user calls devices.
    var labels = HomeLabels()
    /// When the next runs are counted from.
    var now = MachineClock.wallTime
    /// Where they run.
    var calendar = LocalCalendar.system
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndMinute

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("ID", isNumeric: true), .init("AT"), .init("DEVICE", .cut(minimum: 8)),
        .init("NAME", .cut(minimum: 10), omission: 3, shown: .whereKnown),
        .init("COMMAND", .cut(minimum: 10)), .init("NEXT"), .init("LAST RUN", omission: 1),
        .init("LAST MISSED", omission: 2),
        .init("ARGUMENTS", .wrapped(minimum: 14), goesBelow: true),
    ]

    /// The lines for these schedules.
    func lines(for schedules: [Schedule]) -> [String] {
        listing(of: schedules).lines(style, in: layout)
    }

    /// These schedules.
    func listing(of schedules: [Schedule]) -> Listing {
        Listing(
            Self.columns,
            schedules.map { schedule in
                Listing.Row("\(schedule.id)") {
                    cells(for: schedule)
                } object: {
                    line(for: schedule)
                }
            })
    }

    private func cells(for schedule: Schedule) -> [TextTable.Cell] {
        let (command, history) = (schedule.command, schedule.history)
        let times = ListTimes(style, in: layout, now: now)
        return [
            .init("\(schedule.id)", order: Double(schedule.id.number)),
            .init("\(schedule.rule)"), .init(command.device.text),
            labels[command.device].name.map { .init($0.text) } ?? .absent,
            .init(command.name.rawValue),
            schedule.isPaused
                ? .init("paused")
                : times.cell(schedule.next(after: now, in: calendar), exactly: time),
            times.cell(history.lastRun, exactly: time),
            times.cell(history.lastMissed, .bad, exactly: time),
            command.arguments.isEmpty ? .absent : .init(command.arguments.brief),
        ]
    }

    private func line(for schedule: Schedule) -> JSONLine {
        var line = JSONLine()
        line.add("id", "\(schedule.id)")
        line.add("device", schedule.command.device.text)
        line.add("name", schedule.command.name.rawValue)
        // As 0.1.0 called it.
        line.add("command", schedule.command.name.rawValue)
        line.add("arguments", .object(schedule.command.arguments))
        line.add("at", "\(schedule.rule.time)")
        switch schedule.rule {
        case .weekly(_, let days): line.add("days", days.text)
        case .once(_, let date):
            line.add("days", .null)
            line.add("once", "\(date)")
        }
        line.add("next", schedule.next(after: now, in: calendar)?.milliseconds)
        line.add("paused", .boolean(schedule.isPaused))
        line.add("lastRunAt", schedule.history.lastRun?.milliseconds)
        line.add("lastMissedAt", schedule.history.lastMissed?.milliseconds)
        return line
    }
}
