import Homeport
import TerminalOutput

/// The schedules of a home, as `schedule list` prints them.
struct SchedulesRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain
    /// When the next runs are counted from.
    var now = MachineClock.wallTime
    /// Where they run.
    var calendar = LocalCalendar.system
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndMinute

    /// The lines for these schedules.
    func lines(for schedules: [Schedule]) -> [String] {
        switch format {
        case .human: schedules.isEmpty ? [] : table(of: schedules).lines(in: layout)
        case .json: schedules.map { line(for: $0).text }
        }
    }

    private func table(of schedules: [Schedule]) -> TextTable {
        var table = TextTable([
            .init("ID", isNumeric: true), .init("AT"), .init("DEVICE", .cut(minimum: 8)),
            .init("COMMAND", .cut(minimum: 10)), .init("NEXT"), .init("LAST RUN", omission: 1),
            .init("LAST MISSED", omission: 2),
            .init("ARGUMENTS", .wrapped(minimum: 14), goesBelow: true),
        ])
        for schedule in schedules { table.add(row(for: schedule)) }
        return table
    }

    private func row(for schedule: Schedule) -> [TextTable.Cell] {
        let (command, history) = (schedule.command, schedule.history)
        let next = schedule.next(after: now, in: calendar)
        return [
            .init("\(schedule.id)"), .init("\(schedule.rule)"), .init(command.device.text),
            .init(command.name.rawValue), .init(next.map(time) ?? "–"),
            .init(history.lastRun.map(time) ?? "–"),
            .init(history.lastMissed.map(time) ?? "–", history.lastMissed == nil ? .plain : .bad),
            .init(command.arguments.isEmpty ? "–" : command.arguments.brief),
        ]
    }

    private func line(for schedule: Schedule) -> JSONLine {
        var line = JSONLine()
        line.add("id", "\(schedule.id)")
        line.add("device", schedule.command.device.text)
        line.add("command", schedule.command.name.rawValue)
        line.add("arguments", .object(schedule.command.arguments))
        line.add("at", "\(schedule.rule.time)")
        switch schedule.rule {
        case .weekly(_, let days): line.add("days", days.text)
        case .once(_, let date): line.add("once", "\(date)")
        }
        line.add("next", schedule.next(after: now, in: calendar)?.milliseconds)
        line.add("lastRunAt", schedule.history.lastRun?.milliseconds)
        line.add("lastMissedAt", schedule.history.lastMissed?.milliseconds)
        return line
    }
}
