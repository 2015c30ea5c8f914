internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

extension CommandRow {
    /// Puts a new command into the table.
    static func insert(_ record: CommandRecord, owner: Int64, into db: Database) throws {
        let values: [ColumnValue] =
            [.integer(Int(owner))] + values(of: record.prepared) + values(of: record.progress)
            + [.text(ifAny: record.place?.description), .flag(record.progress.isOpen)]
        try db.cachedStatement(sql: insertion).execute(arguments: StatementArguments(values))
    }

    /// Replaces the progress if its step is still the expected one.
    /// - Returns: whether it was.
    static func update(_ change: CommandChange, in db: Database) throws -> Bool {
        let progress = change.progress
        let values: [ColumnValue] =
            [.bytes(change.command.bytes), .integer(change.step), .flag(progress.isOpen)]
            + values(of: progress)
        let arguments = StatementArguments(values)
        // An open command mostly stays open. Where `isOpen` is not set, its index is not written either.
        let statements =
            progress.isOpen ? [replacementOfProgress, replacement] : [replacement]
        for statement in statements {
            try db.cachedStatement(sql: statement).execute(arguments: arguments)
            if db.changesCount == 1 { return true }
        }
        return false
    }

    /// The command of an id.
    static func fetch(_ id: CommandID, in db: Database) throws -> CommandRecord? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: selection), arguments: [Blob(id.bytes)])
        return try row.map { try CommandRow(SQLiteRow($0)).record }
    }

    // MARK: Statements

    /// What writing and reading a command and its progress runs.
    static let statements = [insertion, replacementOfProgress, replacement, selection]

    /// The columns of ``columns``, as a query names them.
    static let selectedColumns = list(columns)

    private static let selection = "SELECT \(selectedColumns) FROM command WHERE id = ?"

    private static let insertion: String = {
        let columns = ["owner"] + intentColumns + progressColumns + ["place", "isOpen"]
        return "INSERT INTO command (\(list(columns))) VALUES (\(marks(for: columns)))"
    }()

    private static let replacementOfProgress =
        "UPDATE command SET \(assignments) WHERE id = ?1 AND step = ?2 AND isOpen = ?3"

    private static let replacement =
        "UPDATE command SET \(assignments), isOpen = ?3 WHERE id = ?1 AND step = ?2"

    private static let assignments = progressColumns.enumerated()
        .map { "\($0.element) = ?\($0.offset + 4)" }.joined(separator: ", ")
}
