public import Connectivity
public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import KillPoints
internal import LedgerRows

/// The ledger in SQLite: an append-only table of events, and beside it a table of commands, which
/// is written in the same transactions and holds what follows from the events at present.
///
/// A command is synced to disk once before it is sent: acceptance, and a later change to `sending`,
/// are synced. Other changes are not. They survive the end of the process, because the kernel has
/// a committed write; a power cut may lose the newest of them. Then an earlier state remains, and
/// the device is queried.
///
/// A newer version may add values, such as a state, without a new schema. A command with such a
/// value is an error where it is read by its id, is left out of the history, and is not adopted;
/// an event with such a state is read without it.
public struct GRDBCommandLedger: CommandLedger {
    let database: LedgerDatabase
    let places: @Sendable () -> CommandPlaces
    let now: @Sendable () -> Timestamp

    /// The commands in a database.
    /// - Parameters:
    ///   - places: where the channels of the home lead; everywhere the same unless something else is said.
    ///   - now: the wall clock, for the times at which changes are written.
    public init(
        _ database: LedgerDatabase,
        places: @escaping @Sendable () -> CommandPlaces = { CommandPlaces() },
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.places = places
        self.now = now
    }

    /// Compiles the statements that a command needs, so that sending waits for the write alone. To be
    /// called while there is nothing else to do.
    public func prepare() throws(LedgerError) {
        try database.compile(Self.statements + CommandRow.statements + EventRow.statements)
    }

    public func accept(_ drafts: [CommandDraft]) async throws(LedgerError) -> [CommandRecord] {
        guard !drafts.isEmpty else { return [] }
        let (time, places) = (now(), places())
        try await database.shortenLog()
        KillPoint.beforeAccepting.pass()
        let records = try await database.write(.powerCut) { transaction in
            try database.requireFileInPlace()
            let owner = try processNumber(in: transaction.db)
            let records = try drafts.map {
                try accept($0, at: places, owner: owner, time, in: transaction)
            }
            KillPoint.beforeCommit.pass()
            return records
        }
        KillPoint.accepted.pass()
        return records
    }

    public func advance(_ changes: [CommandChange]) async throws(LedgerError) -> [AdvanceVerdict] {
        guard !changes.isEmpty else { return [] }
        let places = places()
        let isDurable = changes.contains {
            $0.progress.state == .sending || $0.progress.isPutAway
        }
        let verdicts = try await database.write(isDurable ? .powerCut : .processDeath) {
            transaction in
            try changes.map { try advance($0, at: places, in: transaction) }
        }
        try await database.shortenLog()
        return verdicts
    }

    private func advance(
        _ change: CommandChange, at places: CommandPlaces, in transaction: LedgerTransaction
    ) throws -> AdvanceVerdict {
        let holds = try CommandRow.update(change, in: transaction.db)
        KillPoint.betweenEventAndState.pass()
        if let prepared = change.rerouted {
            // What did not happen is not told.
            if holds { try reroute(prepared, at: places, change.events, in: transaction) }
        } else {
            try transaction.log(holds ? change.events : change.events.map(\.withoutState))
        }
        if holds { return .advanced }
        guard let record = try CommandRow.fetch(change.command, in: transaction.db) else {
            throw LedgerError(.conflict, "the ledger has no command \(change.command)")
        }
        return .overtaken(record)
    }

    public func append(_ events: [LedgerEvent]) async throws(LedgerError) {
        guard !events.isEmpty else { return }
        try await database.write { transaction in try transaction.log(events) }
    }

    /// Stores evidence that changes nothing, once: the same bytes for the same command, or the
    /// same content where there are none, are not stored again. Evidence of a command that the
    /// ledger does not have, or of another device than the command's, is not stored.
    public func file(_ evidence: CommandEvidence, at moment: Timestamp)
        async throws(LedgerError) -> EvidenceFiling
    {
        let event = LedgerEvent(evidence, at: moment)
        let known = try await database.read { db in try filing(of: evidence, event, in: db) }
        guard known.isNew else { return known }
        return try await database.write { transaction in
            let filing = try filing(of: evidence, event, in: transaction.db)
            if filing.isNew { try transaction.log([event]) }
            return filing
        }
    }

    private func filing(of evidence: CommandEvidence, _ event: LedgerEvent, in db: Database)
        throws -> EvidenceFiling
    {
        guard let record = try CommandRow.fetch(evidence.id, in: db) else {
            return EvidenceFiling(record: nil, isNew: false)
        }
        let isNew =
            try record.intent.device == evidence.device && !EventRow.has(event, in: db)
        return EvidenceFiling(record: record, isNew: isNew)
    }

    // MARK: Accepting

    private func accept(
        _ draft: CommandDraft, at places: CommandPlaces, owner: Int64, _ time: Timestamp,
        in transaction: LedgerTransaction
    ) throws -> CommandRecord {
        let sequence = try nextSequence(for: draft.intent, in: transaction.db)
        if !draft.opening.state.isSettled {
            try supersede(for: draft.intent, at: places, time, in: transaction)
        }
        let prepared = try draft.prepared(sequence: sequence)
        let record = CommandRecord(
            prepared: prepared, progress: draft.opening, place: places.here[prepared.channel])
        try CommandRow.insert(record, owner: owner, into: transaction.db)
        try transaction.log([draft.entry(of: record, at: time)])
        return record
    }

    private func nextSequence(for intent: CommandIntent, in db: Database) throws -> Int {
        let last = try Int.fetchOne(
            db.cachedStatement(sql: Self.lastSequence),
            arguments: [intent.controller.text, intent.home.text, intent.device.text])
        return max((last ?? 0) + 1, intent.issuedAt.milliseconds)
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
