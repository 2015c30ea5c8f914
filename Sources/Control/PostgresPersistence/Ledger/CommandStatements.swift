internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// What is read and written of commands and their log.
enum CommandStatements {
    /// The columns of a command.
    static let columns = list(CommandRow.columns)

    // MARK: Reading

    /// Commands of ids.
    static func selection(of ids: [CommandID]) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(columns) FROM command WHERE id = ANY($1::bytea[])",
            [.allBytes(ids.map(\.bytes))])
    }

    /// The entries of a command, in order.
    static func events(of id: CommandID) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(list(EventRow.columns)) FROM event WHERE command = $1 ORDER BY home, number",
            [.bytes(id.bytes)])
    }

    /// Whether the log has evidence with the same bytes or, where it has none, the same content.
    static func search(for evidence: LedgerEvent) -> PostgresStatement {
        let hasBytes = !evidence.raw.isEmpty
        return PostgresStatement(
            """
            SELECT EXISTS (SELECT 1 FROM event WHERE command = $1 AND kind = $2
                AND \(hasBytes ? "raw = $3" : "raw IS NULL AND detail = $3"))
            """,
            [
                .bytes(evidence.command.bytes), .text(evidence.kind.rawValue),
                .bytes(hasBytes ? evidence.raw : evidence.detail.stored),
            ])
    }

    // MARK: Writing

    /// A new command.
    /// - Parameters:
    ///   - writer: the epoch of the owner, or 0.
    ///   - follower: that of the owner who looks after it; 0 before one does.
    static func insertion(
        of record: CommandRecord, by writer: Int, followedBy follower: Int
    ) -> PostgresStatement {
        PostgresStatement(
            insertion,
            columns: [.integer(writer), .integer(follower)] + CommandRow.values(of: record.prepared)
                + CommandRow.values(of: record.progress)
                + [.text(ifAny: record.place?.description), .flag(record.progress.isOpen)])
    }

    /// The new progress of a command.
    static func change(
        of id: CommandID, to progress: CommandProgress, by writer: Int
    ) -> PostgresStatement {
        PostgresStatement(
            change,
            columns: [.bytes(id.bytes), .integer(writer), .flag(progress.isOpen)]
                + CommandRow.values(of: progress))
    }

    /// A new entry of a log.
    static func insertion(
        of row: AuditRow, with hash: SHA256, in home: LockedHome
    ) -> PostgresStatement {
        PostgresStatement(
            entry,
            columns: [.integer(home.number), .integer(home.writer)] + row.values(with: hash))
    }

    /// The new end of a log.
    static func head(of home: LockedHome) -> PostgresStatement {
        PostgresStatement(
            "UPDATE home SET lastNumber = $2, lastHash = $3 WHERE number = $1",
            [
                .integer(home.number), .integer(home.head.number), .bytes(home.head.hash.bytes),
            ])
    }

    private static let insertion = statement(
        into: "command",
        ["epoch", "follower"] + CommandRow.intentColumns + CommandRow.progressColumns + [
            "place", "isOpen",
        ])

    private static let change =
        "UPDATE command SET epoch = $2, isOpen = $3, "
        + CommandRow.progressColumns.enumerated().map { "\($0.element) = $\($0.offset + 4)" }
        .joined(separator: ", ") + " WHERE id = $1"

    private static let entry = statement(into: "event", ["home", "epoch"] + AuditRow.columns)

    /// An insertion of values of columns.
    static func statement(into table: String, _ columns: [String]) -> String {
        "INSERT INTO \(table) (\(list(columns))) VALUES (\(marks(for: columns)))"
    }
}

/// Columns as a statement names them.
func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }

/// As many marks for values as there are columns.
func marks(for columns: [String], from first: Int = 1) -> String {
    list(columns.indices.map { "$\(first + $0)" })
}
