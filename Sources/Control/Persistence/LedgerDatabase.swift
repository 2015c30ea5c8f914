internal import Basics
public import DeviceControl
internal import GRDB
internal import KillPoints

/// The file that holds the ledger and the devices: one SQLite connection, which any number of
/// processes may have at once.
///
/// Opening costs little when the schema is current: the header of the file says so, and nothing
/// else is read. In SQLite's WAL mode a commit survives the death of the process without a sync;
/// what must survive a power cut is written with ``Durability/powerCut``, which syncs everything
/// before it as well. Transactions that wait at the same time share one commit.
public final class LedgerDatabase: Sendable {
    /// What a transaction must survive.
    enum Durability: String, Sendable {
        /// The death of the process: no sync.
        case processDeath = "NORMAL"
        /// A power cut: one sync.
        case powerCut = "FULL"
    }

    /// How long a transaction waits for another process.
    static let longestWait = 5.0
    /// How much of the file is kept in memory at most, in KiB: the pages that a transaction with thousands
    /// of commands touches.
    static let cacheKiB = 4 << 10
    /// From this size in bytes on the write-ahead log is copied into the database while a process works:
    /// copying takes two syncs, for which commands wait.
    static let longestLog = 16 << 20
    /// From this size on it is copied when a process ends. A new process reads the log once, so it is
    /// left short.
    static let longestLogLeft = 256 << 10

    let lease: ProcessLease
    private let queue: DatabaseQueue
    let file: LedgerFile?
    /// The file that was opened for writing; `nil` for a ledger in memory, or for reading alone.
    private let openedFile: FileIdentity?
    /// What the connection is set to; a new one syncs.
    private let durability = Guarded(Durability.powerCut)
    /// The transactions that wait for the connection, in the order in which they came.
    private let waiting = Guarded<[WaitingWrite]>([])

    /// Opens a ledger, and makes it where there is none: the folder with mode 0700, the file with
    /// mode 0600. A file that other users can open gets that mode too.
    ///
    /// A ledger that this process may only read is opened for reading: every write then fails with
    /// `unwritable`.
    /// - Throws: ``LedgerError``: `unwritable`, `foreign`, `corrupt`, `newerSchema`, `full` or
    ///   `busy`. The file is then as it was.
    public static func open(at path: String) throws(LedgerError) -> LedgerDatabase {
        let file = LedgerFile(path: path)
        guard try file.prepare() == .readWrite else { return try openForReading(file) }
        let queue = try file.explainingErrors {
            try DatabaseQueue(path: path, configuration: .ledger)
        }
        let database = LedgerDatabase(
            queue: queue, file: file, lease: ProcessLease(folder: file.leaseFolder),
            openedFile: file.identity)
        try database.bringUpToDate()
        return database
    }

    /// Opens a ledger for reading alone; `nil` if there is none. It makes and changes nothing.
    /// - Throws: ``LedgerError``, also where an older version wrote the file.
    public static func openForReading(at path: String) throws(LedgerError) -> LedgerDatabase? {
        let file = LedgerFile(path: path)
        return file.exists ? try openForReading(file) : nil
    }

    private static func openForReading(_ file: LedgerFile) throws(LedgerError) -> LedgerDatabase {
        let (database, header) = try openOfAnyAge(file, at: file.pathForReading)
        guard header.isCurrent else {
            throw LedgerError(
                .unwritable,
                "the ledger \(file.path) was written by an older version, and it cannot be "
                    + "brought up to date here because it cannot be written; copy it to where "
                    + "it can, and choose the copy")
        }
        return database
    }

    /// Opens a ledger for reading alone, also one of an older version.
    /// - Parameter path: what SQLite is to open: the path of the file, or a URL of it.
    static func openOfAnyAge(
        _ file: LedgerFile, at path: String
    ) throws(LedgerError) -> (database: LedgerDatabase, header: LedgerHeader) {
        var configuration = Configuration.ledger
        configuration.readonly = true
        let queue = try file.explainingErrors {
            try DatabaseQueue(path: path, configuration: configuration)
        }
        let database = LedgerDatabase(queue: queue, file: file, lease: ProcessLease(folder: nil))
        let header = try database.explainingErrors { try queue.inDatabase(LedgerHeader.init) }
        try database.refuseUnlessOurs(header)
        return (database, header)
    }

    /// A ledger that lives as long as this value, for tests and previews.
    public static func inMemory() throws(LedgerError) -> LedgerDatabase {
        let file = LedgerFile(path: ":memory:")
        let queue = try file.explainingErrors { try DatabaseQueue(configuration: .ledger) }
        let database = LedgerDatabase(queue: queue, file: nil, lease: ProcessLease(folder: nil))
        try database.bringUpToDate()
        return database
    }

    private init(
        queue: DatabaseQueue, file: LedgerFile?, lease: ProcessLease,
        openedFile: FileIdentity? = nil
    ) {
        self.queue = queue
        self.file = file
        self.lease = lease
        self.openedFile = openedFile
    }

    /// Releases the commands of this process, so that another one can adopt them.
    ///
    /// The connection stays open until the process ends, because closing the last connection
    /// copies the log and syncs twice; that is done here only where the log is long. Use it as the last
    /// call before the end of a process.
    public func retire() {
        lease.release()
        if let file, file.logSize > Self.longestLogLeft {
            // Where it fails, a later process does it.
            try? queue.inDatabase(Self.emptyLog)
        }
        _ = Unmanaged.passRetained(queue)
    }

    /// Releases the commands of this process and closes the connection. Use it where the process goes on;
    /// no other call may follow.
    public func close() {
        lease.release()
        // A statement in use delays the closing to the end of this value, which is as good.
        try? queue.close()
    }

    // MARK: Access

    /// Runs a transaction on the connection's own queue, with what else waits there.
    func write<Value: Sendable>(
        _ durability: Durability = .processDeath,
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value
    ) async throws(LedgerError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            enqueue(WaitingWrite(durability, body) { continuation.resume(returning: $0) })
        }
        return try explainingErrors { try result.get() }
    }

    private func enqueue(_ write: WaitingWrite) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(write)
            return waiting.count == 1
        }
        // Whoever comes before the connection is free joins the first one.
        guard isFirst else { return }
        queue.asyncWriteWithoutTransaction { [self] db in
            let writes = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            commit(writes, in: db)
        }
    }

    /// Runs transactions that share one commit; each is told how it ended when that is certain. Where one
    /// of them fails, each gets a commit of its own: that is rare, and a savepoint for each is not free.
    private func commit(_ writes: [WaitingWrite], in db: Database) {
        var ends: [WaitingWrite.End] = []
        var hasBegun = false
        do {
            let isSynced = writes.contains { $0.durability == .powerCut }
            try require(isSynced ? .powerCut : .processDeath, of: db)
            try db.inTransaction(.immediate) {
                hasBegun = true
                let transaction = LedgerTransaction(db)
                for write in writes { ends.append(try write.run(transaction)) }
                try transaction.storeEnd()
                return .commit
            }
        } catch {
            let isShared = hasBegun && writes.count > 1
            for write in writes {
                if isShared { commit([write], in: db) } else { write.fail(error) }
            }
            return
        }
        for end in ends { end() }
    }

    private func require(_ durability: Durability, of db: Database) throws {
        try self.durability.withLock { current in
            guard current != durability else { return }
            try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            current = durability
        }
    }

    /// Refuses to go on where the file is no longer at its path: the next process would not find what
    /// is written into it.
    /// - Throws: ``LedgerError`` `unwritable`.
    func requireFileInPlace() throws(LedgerError) {
        guard let file, let openedFile, file.identity != openedFile else { return }
        throw LedgerError(
            .unwritable,
            "the ledger at \(file.path) was moved or removed while homeport has it open; end "
                + "homeport and start it again")
    }

    /// Makes the connection know statements before they are run.
    func compile(_ statements: [String]) throws(LedgerError) {
        try explainingErrors {
            try queue.inDatabase { db in
                for sql in statements { _ = try db.cachedStatement(sql: sql) }
            }
        }
    }

    /// Reads on the connection's own queue.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value)
        async throws(LedgerError) -> Value
    {
        try await access(body)
    }

    /// Reads on the caller's thread, which it blocks.
    func readNow<Value>(_ body: (Database) throws -> Value) throws(LedgerError) -> Value {
        try explainingErrors { try queue.inDatabase(body) }
    }

    /// The caller's cancellation does not interrupt the database: what was begun is finished, so
    /// that the caller never misses a commit.
    private func access<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value)
        async throws(LedgerError) -> Value
    {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { db in
                continuation.resume(returning: Result { try body(db) })
            }
        }
        return try explainingErrors { try result.get() }
    }

    private func explainingErrors<Value>(_ body: () throws -> Value) throws(LedgerError) -> Value {
        try (file ?? LedgerFile(path: ":memory:")).explainingErrors(body)
    }

    /// Copies a very long log into the database and empties it.
    func shortenLog() async throws(LedgerError) {
        guard let file, file.logSize > Self.longestLog else { return }
        try await access(Self.emptyLog)
    }

    /// Another process that reads or writes goes first; then a later call does it.
    ///
    /// The log must be emptied in the same step: the next process would not know that it was
    /// copied, and would append to it for ever.
    private static func emptyLog(_ db: Database) throws {
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        KillPoint.beforeCheckpoint.pass()
        let result = Result { try db.checkpoint(.truncate) }
        try db.execute(sql: "PRAGMA busy_timeout = \(Int(longestWait * 1_000))")
        guard case .failure(let error) = result else { return }
        guard (error as? DatabaseError)?.resultCode == .SQLITE_BUSY else { throw error }
    }

    // MARK: Schema

    private func bringUpToDate() throws(LedgerError) {
        let found = try explainingErrors { try queue.inDatabase(LedgerHeader.init) }
        try refuseUnlessOurs(found)
        // Not earlier: the file of another program keeps its mode.
        try file?.closeToOthers()
        if found.isCurrent { return }
        let setup = try file.map { file throws(LedgerError) in try file.lockForSetup() }
        defer { setup?.release() }
        try explainingErrors { try queue.inDatabase(migrate) }
        // A migration of a large ledger leaves a long log, which every later process would read.
        guard let file, file.logSize > Self.longestLogLeft else { return }
        try explainingErrors { try queue.inDatabase(Self.emptyLog) }
    }

    func refuseUnlessOurs(_ header: LedgerHeader) throws(LedgerError) {
        guard header.isEmpty || header.applicationID == LedgerSchema.applicationID else {
            throw LedgerError(
                .foreign,
                "\(file?.path ?? "the file") is a database of another program; nothing was "
                    + "changed; choose another file")
        }
        guard header.version <= LedgerSchema.migrations.count else {
            throw LedgerError(
                .newerSchema,
                "\(file?.path ?? "the ledger") was written by a newer version (schema "
                    + "\(header.version), this program knows \(LedgerSchema.migrations.count)); "
                    + "nothing was changed; use the newer program or another file")
        }
    }

    /// Every missing migration in one transaction: the schema is the old or the new one.
    private func migrate(_ db: Database) throws {
        if file != nil {
            // A change of state touches few bytes on several pages, and the log holds whole pages.
            try db.execute(sql: "PRAGMA page_size = \(LedgerSchema.pageSize)")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        }
        try db.inTransaction(.immediate) {
            let version = try LedgerHeader(db).version
            for migration in LedgerSchema.migrations.dropFirst(version) {
                try db.execute(sql: migration.sql)
                try migration.completion(db)
            }
            try db.execute(
                sql: """
                    PRAGMA application_id = \(LedgerSchema.applicationID);
                    PRAGMA user_version = \(LedgerSchema.migrations.count);
                    """)
            KillPoint.migrating.pass()
            return .commit
        }
    }
}

extension Configuration {
    fileprivate static var ledger: Configuration {
        var configuration = Configuration()
        configuration.label = "homeport.ledger"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(LedgerDatabase.longestWait)
        configuration.prepareDatabase { db in
            // Copying the log is done by this class, never between ledger and wire.
            try db.execute(
                sql: """
                    PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL;
                    PRAGMA cache_size = \(-LedgerDatabase.cacheKiB)
                    """)
        }
        return configuration
    }
}
