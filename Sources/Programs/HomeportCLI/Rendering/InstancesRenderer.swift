import Homeport
import TerminalOutput

/// The instances of a ledger, as `instances` prints them.
struct InstancesRenderer: Sendable {
    let times: ListTimes
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndTime

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("INSTANCE", .cut(minimum: 12)), .init("ALIVE"), .init("HOMES", isNumeric: true),
        .init("EXPIRES"),
    ]

    /// These instances.
    func listing(of instances: [LedgerInstance]) -> Listing {
        Listing(
            Self.columns,
            instances.map { instance in
                Listing.Row(instance.name) {
                    [
                        .init(instance.name),
                        instance.isAlive ? .init("yes", .good) : .init("no", .bad),
                        .init("\(instance.homes)", order: Double(instance.homes)),
                        times.cell(instance.expiresAt, exactly: time),
                    ]
                } object: {
                    instance.line
                }
            })
    }
}

extension LedgerInstance {
    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("instance", name)
        line.add("alive", .boolean(isAlive))
        line.add("homes", homes)
        line.add("expiresAt", expiresAt.milliseconds)
        return line
    }
}
