internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

extension CommandRow {
    /// Puts a new command into the table, with its first two states.
    static func insert(_ record: CommandRecord, owner: Int64, into db: Database) throws {
        try db.cachedStatement(sql: insertion).execute(
            arguments: intentArguments(record, owner: owner) + progressArguments(record.progress))
        let number = db.lastInsertedRowID
        let createdAt = record.intent.issuedAt.milliseconds
        try insertTransition(number, step: 0, .created, at: createdAt, into: db)
        try insertTransition(
            number, step: record.progress.step, record.state, at: createdAt, into: db)
    }

    /// Replaces the progress if its step is still the expected one.
    /// - Returns: whether it was.
    static func update(
        _ id: CommandID, from old: CommandProgress, to new: CommandProgress, at now: Int,
        in db: Database
    ) throws -> Bool {
        try db.cachedStatement(sql: replacement).execute(
            arguments: progressArguments(new) + [Blob(id.bytes), old.step])
        guard db.changesCount == 1 else { return false }
        if old.state != new.state, let number = try number(of: id, in: db) {
            try insertTransition(number, step: new.step, new.state, at: now, into: db)
        }
        return true
    }

    /// Stores an ack with its command, once.
    /// - Returns: whether it was not there.
    static func insert(_ ack: AckMessage, at now: Int, into db: Database) throws -> Bool {
        guard let number = try number(of: ack.id, in: db) else { return false }
        try db.cachedStatement(sql: ackInsertion).execute(
            arguments: [number, ack.n, ack.stage.rawValue, now, Blob(ack.payload)])
        return db.changesCount == 1
    }

    private static func number(of id: CommandID, in db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: numberOfID), arguments: [Blob(id.bytes)])
    }

    private static func insertTransition(
        _ number: Int64, step: Int, _ state: CommandState, at now: Int, into db: Database
    ) throws {
        try db.cachedStatement(sql: transitionInsertion).execute(
            arguments: [number, step, state.rawValue, now])
    }

    // MARK: Statements

    /// What writing a command and its progress runs.
    static let statements = [
        insertion, transitionInsertion, replacement, ackInsertion, numberOfID,
    ]

    private static let transitionInsertion =
        "INSERT INTO transition (command, step, state, at) VALUES (?, ?, ?, ?)"
    private static let ackInsertion = """
        INSERT OR IGNORE INTO ack (command, n, stage, receivedAt, payload) VALUES (?, ?, ?, ?, ?)
        """
    private static let numberOfID = "SELECT number FROM command WHERE id = ?"

    private static let intentColumns = [
        "id", "owner", "purpose", "controller", "home", "device", "name", "arguments", "lane",
        "sort", "offline", "offlineMilliseconds", "issuedAt", "expiresAt", "sequence",
        "ifRevision", "cause", "isDryRun", "payload",
    ]

    private static let progressColumns = [
        "step", "state", "code", "message", "percent", "result", "revision", "boot", "lastAck",
        "sends", "mayHaveLeft", "sentAt", "acceptedAt", "finalAt",
    ]

    private static let insertion: String = {
        let columns = intentColumns + progressColumns
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO command (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }()

    private static let replacement: String = {
        let assignments = progressColumns.map { "\($0) = ?" }.joined(separator: ", ")
        return "UPDATE command SET \(assignments) WHERE id = ? AND step = ?"
    }()

    private static func intentArguments(_ record: CommandRecord, owner: Int64)
        -> StatementArguments
    {
        let intent = record.intent
        let offline = intent.offline.columns
        return [
            Blob(intent.id.bytes), owner, intent.purpose.rawValue, intent.controller.text,
            intent.home.text, intent.device.text, intent.name.rawValue, Blob(intent.arguments),
            intent.lane.rawValue, intent.sort.rawValue, offline.name, offline.milliseconds,
            intent.issuedAt.milliseconds, intent.expiresAt.milliseconds, record.sequence,
            intent.ifRevision, intent.cause, intent.isDryRun, Blob(record.payload),
        ]
    }

    private static func progressArguments(_ progress: CommandProgress) -> StatementArguments {
        let timings = progress.timings
        return [
            progress.step, progress.state.rawValue, progress.code?.rawValue, progress.message,
            progress.percent, Blob(progress.result), progress.revision, progress.boot?.text,
            progress.lastAck, progress.sends, progress.mayHaveLeft,
            timings.sentAt?.milliseconds, timings.acceptedAt?.milliseconds,
            timings.finalAt?.milliseconds,
        ]
    }
}
