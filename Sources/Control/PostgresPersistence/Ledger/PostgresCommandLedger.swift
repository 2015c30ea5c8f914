public import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import LedgerRows

/// The ledger in PostgreSQL: for each home an append-only log of events, and beside it a table of commands, which is
/// written in the same transactions and holds what follows from the events at present.
///
/// The owner of a home writes everything about it, and whoever else it may be queues commands, takes them back and puts
/// them away: see ``HomeOwnership``. What is not allowed is `fenced`, and nothing is written then. Times of acceptance
/// and sequence numbers come from the clock of the database.
///
/// Repeated calls do nothing twice, because a connection may be lost while it commits: commands that are accepted again
/// are returned as they stand, and a change that was made already is `advanced`.
public struct PostgresCommandLedger: CommandLedger {
    let database: PostgresDatabase
    /// The home whose log this is.
    let own: HomeKey
    let places: @Sendable () -> CommandPlaces
    /// By what this process takes homes where it needs them.
    let ownership: HomeOwnership?

    /// The commands in a database.
    /// - Parameters:
    ///   - controller, home: whose log is read, and gets what is about commands that the ledger does not have.
    ///   - ownership: takes a home for this process when it accepts or takes over commands of it, if it is free; `nil`
    ///     where somebody else takes homes.
    ///   - places: where the channels of the home lead; everywhere the same unless something else is said.
    public init(
        _ database: PostgresDatabase, of controller: ControllerID, in home: HomeID,
        ownedBy ownership: HomeOwnership? = nil,
        places: @escaping @Sendable () -> CommandPlaces = { CommandPlaces() }
    ) {
        self.database = database
        self.ownership = ownership
        self.places = places
        own = HomeKey(controller, home)
    }

    // MARK: Accepting

    public func accept(_ drafts: [CommandDraft]) async throws(LedgerError) -> [CommandRecord] {
        guard !drafts.isEmpty else { return [] }
        var needs = WriteNeeds()
        for intent in drafts.map(\.intent) {
            needs.homes.insert(HomeKey(intent))
            needs.commands.insert(intent.id)
            needs.devices.insert(DeviceKey(intent))
            if intent.maySupersede { needs.superseded.insert(DeviceKey(intent)) }
        }
        let sends = drafts.contains { $0.opening.state == .sending }
        for home in Set(drafts.filter { !$0.isForOwner }.map { HomeKey($0.intent) }).sorted() {
            try await take(home)
        }
        if sends { try await confirmLease() }
        try await database.make(needs.homes)
        let places = places()
        return try await database.write(needing: needs) { transaction in
            if let known = try Self.repeated(drafts, in: transaction) { return known }
            return try drafts.map { try Self.accept($0, at: places, in: transaction) }
        }
    }

    /// Takes a home if it is free and this process takes homes when it needs them.
    func take(_ home: HomeKey) async throws(LedgerError) {
        guard let ownership, ownership.serving == nil,
            !ownership.owns(home.home, of: home.controller)
        else { return }
        _ = try await ownership.take(home.home, of: home.controller)
    }

    public func isOfOthers(_ home: HomeID, of controller: ControllerID) -> Bool {
        ownership.map { !$0.owns(home, of: controller) } ?? false
    }

    public var letsCommandsLeave: Bool { ownership?.maySend ?? true }

    /// Asks the database where others may have taken the home of this process, which may have been stopped for a while.
    /// An instance that drives several homes asks by itself, and has to hear which ones it has lost.
    /// - Throws: ``LedgerError`` `unreachable` where the answer comes too late, or not at all.
    private func confirmLease() async throws(LedgerError) {
        guard let ownership, !ownership.maySend else { return }
        if ownership.serving == nil { _ = try await ownership.renew() }
        guard !ownership.maySend else { return }
        throw LedgerError(
            .unreachable,
            "the database has not confirmed for \(ownership.lease) that this process owns the home, so "
                + "that nothing is sent; check that PostgreSQL answers")
    }

    /// The commands of drafts that were accepted before; `nil` where none was.
    /// - Throws: ``LedgerError`` `conflict` where some were, or others with these ids.
    private static func repeated(
        _ drafts: [CommandDraft], in transaction: PostgresTransaction
    ) throws(LedgerError) -> [CommandRecord]? {
        let known = drafts.compactMap { transaction.command($0.intent.id) }
        if known.isEmpty { return nil }
        guard known.count == drafts.count,
            zip(known, drafts).allSatisfy({
                $0.intent == ($1.isForOwner ? $1.issued(at: $0.intent.issuedAt) : $1).intent
            })
        else {
            let ids = known.map(\.id.text).joined(separator: ", ")
            throw LedgerError(.conflict, "the ledger has \(ids) already, as another command")
        }
        return known
    }

    private static func accept(
        _ draft: CommandDraft, at places: CommandPlaces, in transaction: PostgresTransaction
    ) throws -> CommandRecord {
        let draft = draft.isForOwner ? draft.issued(at: transaction.clock) : draft
        let places = draft.isForOwner ? CommandPlaces() : places
        let intent = draft.intent
        let key = HomeKey(intent)
        if !draft.isForOwner { _ = try transaction.ownedHome(key) }
        let sequence = transaction.nextSequence(for: DeviceKey(intent))
        if !draft.opening.state.isSettled {
            try supersede(for: intent, at: places, in: transaction)
        }
        let prepared = try draft.prepared(sequence: sequence)
        let record = CommandRecord(
            prepared: prepared, progress: draft.opening, place: places.here[prepared.channel])
        try transaction.insert(record, isFollowed: !draft.isForOwner)
        try transaction.log([draft.entry(of: record, at: transaction.clock)], in: key)
        return record
    }

    /// Withdraws what waits for a device and whose place a new command takes.
    private static func supersede(
        for later: CommandIntent, at places: CommandPlaces, in transaction: PostgresTransaction
    ) throws {
        guard later.maySupersede else { return }
        for record in transaction.openCommands(to: DeviceKey(later))
        where places.include(record.place) && record.progress.isWaiting
            && later.supersedes(record.intent)
        {
            let progress = record.progress.superseded(by: later, at: transaction.clock)
            try transaction.withdraw(record, to: progress, for: later.id)
        }
    }

    // MARK: Changing

    public func advance(_ changes: [CommandChange]) async throws(LedgerError) -> [AdvanceVerdict] {
        guard !changes.isEmpty else { return [] }
        if changes.contains(where: { $0.progress.state == .sending }) { try await confirmLease() }
        var needs = WriteNeeds()
        needs.commands = Set(changes.map(\.command))
        let places = places()
        return try await database.write(needing: needs) { transaction in
            try changes.map { try Self.advance($0, at: places, in: transaction) }
        }
    }

    private static func advance(
        _ change: CommandChange, at places: CommandPlaces, in transaction: PostgresTransaction
    ) throws -> AdvanceVerdict {
        guard let record = transaction.command(change.command) else {
            throw LedgerError(.conflict, "the ledger has no command \(change.command)")
        }
        let key = HomeKey(record.intent)
        let home =
            try change.progress.isPutAway
            ? transaction.home(key) : transaction.ownedHome(key)
        guard record.progress.step == change.step else {
            // The same change was made before, and its answer was lost; what was added since is written.
            let isRepeated = record.progress == change.progress
            if home.isOwned, change.rerouted == nil {
                let known = isRepeated ? try transaction.events(of: record.id) : []
                let new = change.events.filter { !known.contains($0) }
                try transaction.log(new.map(\.withoutState), in: key)
            }
            return isRepeated ? .advanced : .overtaken(record)
        }
        try transaction.update(record, to: change.progress)
        if let prepared = change.rerouted {
            try transaction.reroute(record, over: prepared, at: places, change.events)
        } else {
            try transaction.log(change.events, in: key)
        }
        return .advanced
    }

    public func append(_ events: [LedgerEvent]) async throws(LedgerError) {
        guard !events.isEmpty else { return }
        var needs = WriteNeeds()
        needs.homes = [own]
        needs.commands = Set(events.map(\.command))
        try await database.make(needs.homes)
        try await database.write(needing: needs) { [own] transaction in
            for event in events {
                let key = transaction.command(event.command).map { HomeKey($0.intent) } ?? own
                _ = try transaction.ownedHome(key)
                try transaction.log([event], in: key)
            }
        }
    }

    public func file(
        _ evidence: CommandEvidence, at moment: Timestamp
    ) async throws(LedgerError) -> EvidenceFiling {
        let event = LedgerEvent(evidence, at: moment)
        let known = try await database.read { connection in
            let results = try connection.run([
                CommandStatements.selection(of: [evidence.id]),
                CommandStatements.search(for: event),
            ])
            return EvidenceFiling(
                of: evidence, try results[0].first.map { try CommandRow($0).record },
                isKnown: results[1].first?.flag(0) ?? false)
        }
        guard known.isNew else { return known }
        var needs = WriteNeeds()
        needs.commands = [evidence.id]
        needs.evidence = [event]
        return try await database.write(needing: needs) { transaction in
            let record = transaction.command(evidence.id)
            let filing = EvidenceFiling(of: evidence, record, isKnown: transaction.has(event))
            if let record, filing.isNew {
                let home = try transaction.ownedHome(HomeKey(record.intent))
                try transaction.log([event], in: home.key)
            }
            return filing
        }
    }

    // MARK: Taking back

    public func withdraw(_ id: CommandID) async throws(LedgerError) -> CommandRecord? {
        var needs = WriteNeeds()
        needs.commands = [id]
        return try await database.write(needing: needs) { transaction in
            guard let record = transaction.command(id), record.progress.isWaiting else {
                return transaction.command(id)
            }
            let progress = record.progress.cancelled(at: transaction.clock)
            try transaction.withdraw(record, to: progress, for: nil)
            return transaction.command(id)
        }
    }
}

extension PostgresTransaction {
    /// Takes a waiting command back.
    fileprivate func withdraw(
        _ record: CommandRecord, to progress: CommandProgress, for later: CommandID?
    ) throws {
        try update(record, to: progress)
        let event = LedgerEvent(withdrawing: record.id, to: progress, for: later, at: clock)
        try log([event], in: HomeKey(record.intent))
    }

    /// Lets a command that never left go over another channel.
    fileprivate func reroute(
        _ record: CommandRecord, over prepared: PreparedCommand, at places: CommandPlaces,
        _ events: [LedgerEvent]
    ) throws {
        let id = PostgresValue.bytes(prepared.id.bytes)
        add(
            PostgresStatement(
                "UPDATE command SET channel = $2, payload = $3, place = $4 WHERE id = $1",
                [
                    id, .text(prepared.channel.text), .bytes(prepared.payload),
                    PostgresValue(.text(ifAny: places.here[prepared.channel]?.description)),
                ]))
        let entered = try query(
            PostgresStatement(
                "SELECT detail FROM event WHERE command = $1 AND kind = $2 LIMIT 1",
                [id, .text(LedgerEvent.Kind.created.rawValue)]))
        let entry = entered.first?.bytes(0).flatMap(JSONObject.init(stored:))
        try log(
            events.map { $0.showing(prepared.payload, as: entry) }, in: HomeKey(record.intent))
    }
}

extension EvidenceFiling {
    fileprivate init(of evidence: CommandEvidence, _ record: CommandRecord?, isKnown: Bool) {
        self.init(
            record: record, isNew: record?.intent.device == evidence.device && !isKnown)
    }
}

extension CommandDraft {
    /// The same command, made at another time by another clock.
    fileprivate func issued(at moment: Timestamp) -> CommandDraft {
        var (intent, opening) = (intent, opening)
        intent.expiresAt = moment.advanced(by: intent.expiresAt.since(intent.issuedAt))
        intent.issuedAt = moment
        opening.timings.createdAt = moment
        var draft = CommandDraft(
            intent: intent, opening: opening, cause: cause, shownArguments: shownArguments,
            prepare: prepare)
        draft.isForOwner = isForOwner
        return draft
    }
}
