public import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import GRDB

/// The ledger in SQLite.
///
/// One sync lies between a command and the wire: acceptance, and a later change to `sending`, are
/// synced. Other changes are not. They survive the death of the process, because a committed write
/// lies with the kernel; a power cut may take the newest of them, and then an earlier state
/// remains, from which the device is asked.
public struct GRDBCommandLedger: CommandLedger {
    let database: LedgerDatabase
    private let now: @Sendable () -> Timestamp

    /// The commands in a database.
    /// - Parameter now: the wall clock, for the times at which changes are written.
    public init(_ database: LedgerDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Compiles the statements of a command's life, so that only the write itself lies between a
    /// command and the wire. To be called while there is nothing else to do.
    public func prepare() throws(LedgerError) {
        try database.compile(Self.statements + CommandRow.statements)
    }

    public func accept(_ intent: CommandIntent, opening progress: CommandProgress)
        async throws(LedgerError) -> CommandRecord
    {
        try await database.write(.powerCut) { db in
            let owner = try processNumber(in: db)
            let sequence = try nextSequence(for: intent, in: db)
            let record = CommandRecord(
                intent: intent, sequence: sequence, payload: intent.payload(sequence: sequence),
                progress: progress)
            try CommandRow.insert(record, owner: owner, into: db)
            return record
        }
    }

    public func advance(
        _ id: CommandID, from old: CommandProgress, to new: CommandProgress,
        because ack: AckMessage?
    ) async throws(LedgerError) -> AdvanceVerdict {
        let time = now().milliseconds
        let durability: LedgerDatabase.Durability =
            new.state == .sending ? .powerCut : .processDeath
        let verdict = try await database.write(durability) { db -> AdvanceVerdict in
            if let ack { _ = try CommandRow.insert(ack, at: time, into: db) }
            if try CommandRow.update(id, from: old, to: new, at: time, in: db) {
                return .advanced
            }
            guard let record = try fetch(id, in: db) else {
                throw LedgerError(.conflict, "the ledger has no command \(id)")
            }
            return .overtaken(record)
        }
        if new.state.isSettled { try await database.shortenLog() }
        return verdict
    }

    public func file(_ ack: AckMessage) async throws(LedgerError) -> AckFiling {
        let time = now().milliseconds
        let known = try await database.read { db in try fetch(ack.id, in: db) }
        guard let known, known.intent.device == ack.device else {
            return AckFiling(record: known, isNew: false)
        }
        return try await database.write { db in
            let isNew = try CommandRow.insert(ack, at: time, into: db)
            return AckFiling(record: try fetch(ack.id, in: db), isNew: isNew)
        }
    }

    public func note(_ anomaly: CommandAnomaly) async throws(LedgerError) {
        try await database.write { db in
            try db.cachedStatement(
                sql: "INSERT INTO anomaly (kind, command, device, at, ack) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [
                anomaly.kind.rawValue, Blob(anomaly.command.bytes), anomaly.device.text,
                anomaly.at.milliseconds, anomaly.ack.map { Blob($0.payload) },
            ])
        }
    }

    public func record(of id: CommandID) async throws(LedgerError) -> CommandRecord? {
        try await database.read { db in try fetch(id, in: db) }
    }

    public func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord] {
        try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM command
                    WHERE purpose = 'request' AND (:controller IS NULL OR controller = :controller)
                        AND (:home IS NULL OR home = :home)
                        AND (:device IS NULL OR device = :device)
                    ORDER BY number DESC LIMIT :limit
                    """,
                arguments: [
                    "controller": query.controller?.text, "home": query.home?.text,
                    "device": query.device?.text, "limit": max(0, query.limit),
                ])
            var records: [CommandRecord] = []
            while let row = try rows.next() { records.append(try CommandRow(row).record) }
            return records
        }
    }

    private func fetch(_ id: CommandID, in db: Database) throws -> CommandRecord? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM command WHERE id = ?"),
            arguments: [Blob(id.bytes)])
        return try row.map { try CommandRow($0).record }
    }

    private func nextSequence(for intent: CommandIntent, in db: Database) throws -> Int {
        let last = try Int.fetchOne(
            db.cachedStatement(sql: Self.lastSequence),
            arguments: [intent.controller.text, intent.home.text, intent.device.text])
        return (last ?? 0) + 1
    }

    /// The row of this process, made when it first owns something; from then on its lease is held.
    func processNumber(in db: Database) throws -> Int64 {
        try database.lease.hold()
        let lease = database.lease.name
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: Self.ownNumber), arguments: [lease])
        if let known { return known }
        try db.cachedStatement(sql: Self.entry).execute(arguments: [lease, now().milliseconds])
        return db.lastInsertedRowID
    }

    // MARK: Statements

    private static let statements = [lastSequence, ownNumber, entry]

    private static let lastSequence =
        "SELECT max(sequence) FROM command WHERE controller = ? AND home = ? AND device = ?"
    private static let ownNumber = "SELECT id FROM process WHERE lease = ?"
    private static let entry = "INSERT INTO process (lease, startedAt) VALUES (?, ?)"
}
