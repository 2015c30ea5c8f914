internal import DeviceControl
internal import DeviceMessages
internal import GRDB

/// A command that the ledger holds although no entry of the log says that it was accepted.
struct UnloggedCommand {
    /// The first entry about the command; `nil` if there is none.
    let number: Int64?
    private let id: CommandID?

    /// Reads a row of ``fetch(in:)``.
    init(_ row: Row) {
        let bytes: Blob = row["id"]
        number = row["number"]
        id = CommandID(bytes: bytes.bytes)
    }

    /// What is wrong, for people.
    var problem: String {
        let name = id?.text ?? "with an invalid id"
        return "no entry says that the command \(name) was accepted; another program added it"
    }

    // MARK: Statements

    /// The commands, in the order of their numbers. Those of before there was a log have entries
    /// `transition` in its place.
    static func fetch(in db: Database) throws -> RowCursor {
        try Row.fetchCursor(
            db, sql: selection,
            arguments: [
                LedgerEvent.Kind.created.rawValue, LedgerEvent.Kind.transition.rawValue,
            ])
    }

    private static let selection = """
        SELECT command.id AS id,
            (SELECT min(event.number) FROM event WHERE event.command = command.id) AS number
        FROM command WHERE NOT EXISTS (
            SELECT 1 FROM event WHERE event.command = command.id AND event.kind IN (?, ?))
        ORDER BY command.number
        """
}
