internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

extension CommandRow {
    /// Puts a new command into the table.
    static func insert(_ record: CommandRecord, owner: Int64, into db: Database) throws {
        try db.cachedStatement(sql: insertion).execute(
            arguments: intentArguments(record.prepared, owner: owner)
                + progressArguments(record.progress)
                + [record.place?.description, record.progress.isOpen])
    }

    /// Replaces the progress if its step is still the expected one.
    /// - Returns: whether it was.
    static func update(_ change: CommandChange, in db: Database) throws -> Bool {
        let progress = change.progress
        let arguments: StatementArguments =
            [Blob(change.command.bytes), change.step, progress.isOpen] + progressArguments(progress)
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
        return try row.map { try CommandRow($0).record }
    }

    // MARK: Statements

    /// What writing and reading a command and its progress runs.
    static let statements = [insertion, replacementOfProgress, replacement, selection]

    private static let selection = "SELECT \(columns) FROM command WHERE id = ?"

    /// What a query must select for ``init(_:)``. Not `*`: when another process changes the schema,
    /// a statement that was compiled before would have other columns than its rows.
    static let columns = (["number"] + intentColumns + progressColumns + ["place"]).joined(
        separator: ", ")

    private static let intentColumns = [
        "id", "controller", "home", "device", "name", "arguments", "lane", "sort", "offline",
        "offlineMilliseconds", "issuedAt", "expiresAt", "ifRevision", "cause", "isDryRun",
        "channel",
        "sequence", "payload",
    ]

    private static let progressColumns = [
        "step", "state", "code", "message", "percent", "result", "revision", "boot", "lastAck",
        "sends", "desiredRevision", "mayHaveLeft", "createdAt", "sentAt", "acceptedAt", "finalAt",
        "observedAt", "closedAt",
    ]

    private static let insertion: String = {
        let columns = ["owner"] + intentColumns + progressColumns + ["place", "isOpen"]
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO command (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }()

    private static let replacementOfProgress =
        "UPDATE command SET \(assignments) WHERE id = ?1 AND step = ?2 AND isOpen = ?3"

    private static let replacement =
        "UPDATE command SET \(assignments), isOpen = ?3 WHERE id = ?1 AND step = ?2"

    private static let assignments = progressColumns.enumerated()
        .map { "\($0.element) = ?\($0.offset + 4)" }.joined(separator: ", ")

    private static func intentArguments(_ prepared: PreparedCommand, owner: Int64)
        -> StatementArguments
    {
        let intent = prepared.intent
        let offline = intent.offline.columns
        return [
            owner, Blob(intent.id.bytes), intent.controller.text, intent.home.text,
            intent.device.text, intent.name.rawValue, Blob(intent.arguments), intent.lane.rawValue,
            intent.sort.rawValue, offline.name, offline.milliseconds, intent.issuedAt.milliseconds,
            intent.expiresAt.milliseconds, intent.ifRevision, intent.cause, intent.isDryRun,
            prepared.channel.text, prepared.sequence, Blob(prepared.payload),
        ]
    }

    private static func progressArguments(_ progress: CommandProgress) -> StatementArguments {
        let timings = progress.timings
        return [
            progress.step, progress.state.rawValue, progress.code?.rawValue, progress.message,
            progress.percent, Blob(progress.result), progress.revision, progress.boot?.text,
            progress.lastAck, progress.sends, progress.desiredRevision, progress.mayHaveLeft,
            timings.createdAt.milliseconds, timings.sentAt?.milliseconds,
            timings.acceptedAt?.milliseconds, timings.finalAt?.milliseconds,
            timings.observedAt?.milliseconds, timings.closedAt?.milliseconds,
        ]
    }
}
