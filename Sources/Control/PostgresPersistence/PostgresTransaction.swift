internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// One transaction. What it needs is read in one exchange with the server, which locks the homes; then it works on what
/// it knows, and all that it writes goes to the server with the commit, in another one.
///
/// A home is locked by whoever adds to its log, so that nothing of it changes in between, and who owns it is certain.
final class PostgresTransaction {
    /// The clock of the database when the homes were locked.
    let clock: Timestamp
    private let id: String
    private let connection: PostgresConnection
    private let held: HeldHomes
    private var homes: [HomeKey: LockedHome] = [:]
    private var commands: [CommandID: CommandRow] = [:]
    private var sequences: [DeviceKey: Int] = [:]
    private var knownEvidence: Set<LedgerEvent> = []
    private var statements: [PostgresStatement] = []

    /// Begins it. Where that fails, ``takeBack(on:)`` is to be called.
    init(
        _ needs: WriteNeeds, _ held: HeldHomes, on connection: PostgresConnection
    ) throws {
        self.connection = connection
        self.held = held
        let opening = TransactionOpening(needs)
        let results = try connection.run(opening.statements)
        (clock, id) = try opening.clock(results)
        for home in try opening.homes(results, held) { homes[home.key] = home }
        for row in try opening.commands(results) { commands[row.record.id] = row }
        sequences = try opening.sequences(results)
        knownEvidence = opening.knownEvidence(results)
    }

    // MARK: What it knows

    /// A home, locked.
    /// - Throws: ``LedgerError`` `conflict` where the ledger does not have it.
    func home(_ key: HomeKey) throws(LedgerError) -> LockedHome {
        guard let home = homes[key] else {
            throw LedgerError(
                .conflict, "the ledger has no home \(key.home) of the controller \(key.controller)")
        }
        return home
    }

    /// A home that this process owns.
    /// - Throws: ``LedgerError`` `fenced` where it does not.
    func ownedHome(_ key: HomeKey) throws(LedgerError) -> LockedHome {
        let home = try home(key)
        guard home.isOwned else { throw LedgerError(.fenced, PostgresFailure.fenced) }
        return home
    }

    /// What this process knows of its ownership of a home.
    func tenure(of key: HomeKey) -> HeldHomes.Tenure? { held.tenure(of: key) }

    /// A command as it stands.
    func command(_ id: CommandID) -> CommandRecord? { commands[id]?.record }

    /// The open commands to a device, in the order of acceptance.
    func openCommands(to device: DeviceKey) -> [CommandRecord] {
        commands.values.filter {
            $0.record.progress.isOpen && DeviceKey($0.record.intent) == device
        }
        .sorted { $0.number < $1.number }.map(\.record)
    }

    /// The next sequence number for a device: the clock of the database in milliseconds, or the one behind the last.
    func nextSequence(for device: DeviceKey) -> Int {
        let next = max((sequences[device] ?? 0) + 1, clock.milliseconds)
        sequences[device] = next
        return next
    }

    /// Whether the log has evidence already.
    func has(_ evidence: LedgerEvent) -> Bool { knownEvidence.contains(evidence.asKnown) }

    /// What the log has of a command.
    func events(of id: CommandID) throws -> [LedgerEvent] {
        try query(CommandStatements.events(of: id)).rows.map(EventRow.event)
    }

    /// Runs a query now, behind all that was to be written.
    func query(_ statement: PostgresStatement) throws -> PostgresRows {
        let results = try connection.run(statements + [statement])
        statements = []
        guard let rows = results.last else {
            throw PostgresFailure(reason: .unreachable, message: "the server sent no result")
        }
        return rows
    }

    // MARK: What it writes

    /// Adds a statement.
    func add(_ statement: PostgresStatement) { statements.append(statement) }

    /// Adds a command.
    /// - Parameter isFollowed: whether this process looks after it, as the owner of its home.
    func insert(_ record: CommandRecord, isFollowed: Bool) throws(LedgerError) {
        let writer = try home(HomeKey(record.intent)).writer
        add(
            CommandStatements.insertion(
                of: record, by: writer, followedBy: isFollowed ? writer : 0))
        // Behind every number that was read.
        commands[record.id] = CommandRow(number: .max - 1_000_000 + commands.count, record: record)
    }

    /// Replaces the progress of a command that it needs.
    func update(_ record: CommandRecord, to progress: CommandProgress) throws(LedgerError) {
        let home = try home(HomeKey(record.intent))
        add(CommandStatements.change(of: record.id, to: progress, by: home.writer))
        commands[record.id]?.record.progress = progress
    }

    /// Adds events to the log of a home, in order, each linked to the one before.
    func log(_ events: [LedgerEvent], in key: HomeKey) throws(LedgerError) {
        var home = try home(key)
        for event in events {
            let row = AuditRow(event, number: home.head.number + 1)
            let hash = row.hash(after: home.head.hash)
            add(CommandStatements.insertion(of: row, with: hash, in: home))
            home.head = AuditHead(number: row.number, hash: hash)
            if event.kind == .evidence { knownEvidence.insert(event.asKnown) }
        }
        homes[key] = home
    }

    // MARK: Its end

    /// Writes everything, and returns when that is durable.
    /// - Throws: ``PostgresFailure``: `unreachable` where it is certain that nothing was written.
    func commit(pauses: [Duration]) throws(PostgresFailure) {
        let changed = homes.values.filter(\.isChanged).sorted { $0.number < $1.number }
        let heads = changed.map(CommandStatements.head(of:))
        // Not of its own changes: whoever notifies waits for all others that do, to commit.
        let calls = changed.filter { !$0.isOwned }.map { PostgresListener.call(to: $0.key) }
        do throws(PostgresFailure) {
            _ = try connection.run(statements + heads + calls + [PostgresStatement("COMMIT")])
        } catch {
            guard error.reason == .unreachable else { throw error }
            if try !isCommitted(after: pauses, error) { throw error }
        }
    }

    /// Asks over another connection what became of the transaction.
    private func isCommitted(
        after pauses: [Duration], _ failure: PostgresFailure
    ) throws(PostgresFailure) -> Bool {
        var message = failure.message
        for pause in pauses {
            PostgresConnection.pause(pause)
            do throws(PostgresFailure) {
                let rows = try connection.run(
                    PostgresStatement("SELECT pg_xact_status($1::xid8)", [.digits(id)]))
                switch rows.first?.text(0) {
                case "committed": return true
                case "aborted": return false
                case "in progress": continue
                default: throw PostgresFailure(reason: .unsettled, message: message)
                }
            } catch {
                guard error.isLoss else { throw error }
                message = error.message
            }
        }
        throw PostgresFailure(reason: .unsettled, message: message)
    }

    /// Nothing is written. A connection that was lost has taken its transaction along.
    static func takeBack(on connection: PostgresConnection) {
        guard connection.isOpen else { return }
        _ = try? connection.run(PostgresStatement("ROLLBACK"))
    }
}

/// A home whose row the transaction has locked.
struct LockedHome {
    let key: HomeKey
    /// The number of its row.
    let number: Int
    /// Whether this process is the owner.
    let isOwned: Bool
    /// The epoch in which this process believes that it owns it; 0 where it does not.
    private let tenure: Int
    /// The end of its log.
    var head: AuditHead {
        didSet { isChanged = true }
    }
    /// Whether something was added to the log.
    private(set) var isChanged = false

    /// Who writes, as rows have it: the epoch of the owner, or 0. It is not that of the row: the schema compares both,
    /// whatever is wrong here.
    var writer: Int { isOwned ? tenure : 0 }

    init(key: HomeKey, number: Int, isOwned: Bool, tenure: Int, head: AuditHead) {
        self.key = key
        self.number = number
        self.isOwned = isOwned
        self.tenure = tenure
        self.head = head
    }
}

extension LedgerEvent {
    /// Evidence by what it is recognised by: its bytes or, where it has none, its content.
    var asKnown: LedgerEvent {
        var copy = LedgerEvent(kind, of: command, at: Timestamp(milliseconds: 0))
        if raw.isEmpty { copy.detail = detail } else { copy.raw = raw }
        return copy
    }
}
