import Homeport
import TerminalOutput

/// The commands of the ledger, as `history` and `queue` print them.
struct HistoryRenderer: Sendable {
    let style: ListStyle
    var layout = Layout.plain
    /// What the user calls devices.
    var labels = HomeLabels()
    /// When ages are counted to.
    var now = MachineClock.wallTime
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndTime

    /// The columns of `history`.
    static let columns = columns(limit: .wide)
    /// Those of `queue`, of which one says until when each may start.
    static let columnsOfQueue = columns(limit: .always)

    private static func columns(limit: TextTable.Shown) -> [TextTable.Column] {
        [
            .init("CREATED"), .init("DEVICE", .cut(minimum: 10)),
            .init("NAME", .cut(minimum: 10), omission: 3, shown: .whereKnown),
            .init("COMMAND", .cut(minimum: 20)), .init("STATE"), .init("UNTIL", shown: limit),
            .init("TOOK", isNumeric: true, omission: 1),
            .init("SENDS", isNumeric: true, omission: 2),
            .init("ARGUMENTS", .wrapped(minimum: 22), goesBelow: true),
            .init("MESSAGE", .wrapped(minimum: 22), goesBelow: true),
            .init("ID", goesBelow: true),
        ]
    }

    /// The commands, newest first.
    func listing(
        of records: [CommandRecord], _ columns: [TextTable.Column] = Self.columns
    ) -> Listing {
        Listing(
            columns,
            records.map { record in
                Listing.Row(record.id.text) {
                    cells(for: record)
                } object: {
                    record.line
                }
            })
    }

    private func cells(for record: CommandRecord) -> [TextTable.Cell] {
        let (progress, intent) = (record.progress, record.intent)
        let times = ListTimes(style, in: layout, now: now)
        return [
            times.cell(progress.timings.createdAt, exactly: time), .init(intent.device.text),
            labels[intent.device].name.map { .init($0.text) } ?? .absent,
            .init(record.nameAndKind), .init(progress.state.rawValue, progress.state.tone),
            times.cell(intent.expiresAt, exactly: time),
            record.took.map { .init($0.brief, order: Double($0.wholeMilliseconds)) } ?? .absent,
            .init("\(progress.sends)", order: Double(progress.sends)),
            intent.arguments.isEmpty ? .absent : .init(intent.arguments.brief),
            record.reason.map { .init($0) } ?? .absent, .init(record.id.text, .faint),
        ]
    }
}
