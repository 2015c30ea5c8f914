internal import Basics
internal import DeviceDomain
internal import DeviceMessages
internal import Dispatch
internal import GRDB
public import History
internal import KillPoints

/// A history in a SQLite file beside the ledger, on a connection and a thread of its own: a command never waits for it.
///
/// It is opened at the first use. A writer moves a damaged file aside and begins a new one with the next batch; it
/// does so as well where somebody has removed the file.
public final class GRDBSampleStore: SampleStore {
    /// What a store may do with its file.
    public enum Access: Sendable {
        /// Reads and writes, and makes the file where there is none.
        case readWrite
        /// Reads; without a file there is nothing.
        case readOnly
    }

    private struct Connection {
        let queue: DatabaseQueue
        let identity: FileIdentity?
    }

    let file: HistoryFile
    private let access: Access
    private let mostPages: Int?
    private let work = DispatchQueue(label: "homeport.history", qos: .utility)
    /// Used on ``work`` only.
    private let connection = Guarded<Connection?>(nil)
    /// The first device of which upkeep has not found yet that it has no more facts than it may.
    let firstUnchecked = Guarded(Int.min)

    /// The history beside a ledger.
    /// - Parameters:
    ///   - ledger: the path of the ledger.
    ///   - mostPages: how many pages of 4 KiB the file may have, for tests of a full disk.
    public init(besideLedger ledger: String, _ access: Access, mostPages: Int? = nil) {
        file = HistoryFile(ofLedger: ledger)
        self.access = access
        self.mostPages = mostPages
    }

    /// Where the file is.
    public var path: String { file.path }

    // MARK: Access

    /// Runs `body` on the store's own thread, with an open file.
    /// - Parameter nothing: what is returned where there is nothing to read.
    func perform<Value: Sendable>(
        orReturn nothing: Value, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryError) -> Value {
        let result: Result<Value, HistoryError> = await withCheckedContinuation { continuation in
            work.async { [self] in
                continuation.resume(
                    returning: Result { () throws(HistoryError) in
                        try performNow(orReturn: nothing, body)
                    })
            }
        }
        return try result.get()
    }

    /// Runs `body` in a transaction, which holds if it does not throw.
    func write<Value: Sendable>(
        orReturn nothing: Value, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(HistoryError) -> Value {
        try file.requireRoom()
        return try await perform(orReturn: nothing) { db in
            var value = nothing
            try db.inTransaction(.immediate) {
                value = try body(db)
                return .commit
            }
            return value
        }
    }

    private func performNow<Value>(
        orReturn nothing: Value, _ body: (Database) throws -> Value
    ) throws(HistoryError) -> Value {
        let present = file.identity
        do {
            guard let queue = try opened() else { return nothing }
            return try queue.inDatabase(body)
        } catch {
            let explained = file.explained(error)
            guard explained.code == .damaged, access == .readWrite else { throw explained }
            let damaged = connection.withLock { connection in
                defer { connection = nil }
                try? connection?.queue.close()
                return connection?.identity ?? present
            }
            file.moveAside(damaged)
            throw HistoryError(
                .damaged,
                "\(file.path) is damaged and was moved to \(file.asidePath); a new one is begun",
                underlying: explained.underlying)
        }
    }

    private func opened() throws -> DatabaseQueue? {
        let identity = file.identity
        if let open = connection.withLock({ $0 }) {
            // Who removed the file, or moved it away, begins a new one.
            if identity == open.identity { return open.queue }
            connection.withLock { $0 = nil }
            try? open.queue.close()
        }
        if access == .readWrite { try file.prepare() } else if identity == nil { return nil }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let isReady = try queue.inDatabase(setUp)
        guard isReady else { return nil }
        if access == .readWrite { try file.closeToOthers() }
        connection.withLock { $0 = Connection(queue: queue, identity: file.identity) }
        return queue
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "homeport.history"
        configuration.busyMode = .timeout(5)
        configuration.readonly = access == .readOnly
        let mostPages = mostPages
        configuration.prepareDatabase { db in
            // What a power cut takes of the last minutes is lost; the rest is whole. The log is copied at 1 MiB.
            try db.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 256;
                    PRAGMA journal_size_limit = \(1 << 20)
                    """)
            if let mostPages { try db.execute(sql: "PRAGMA max_page_count = \(mostPages)") }
        }
        return configuration
    }

    /// - Returns: whether the tables are there.
    private func setUp(_ db: Database) throws -> Bool {
        if try isCurrent(db) { return true }
        guard access == .readWrite else { return false }
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        try db.inTransaction(.immediate) {
            // Another process may have made it meanwhile.
            if try !isCurrent(db) { try HistorySchema.make(in: db) }
            return .commit
        }
        return true
    }

    private func isCurrent(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if id == HistorySchema.applicationID, version == HistorySchema.version { return true }
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if id == 0, version == 0, tables == 0 { return false }
        guard id == HistorySchema.applicationID else {
            throw HistoryError(
                .unwritable, "\(file.path) is a database of another program; move it away")
        }
        throw HistoryError(
            .newerSchema,
            "\(file.path) was written by a newer version (schema \(version)); use that, or move the file away"
        )
    }

    // MARK: Writing

    public func add(_ batch: HistoryBatch) async throws(HistoryError) {
        try await write(orReturn: ()) { db in
            for (device, samples) in batch.samples.sorted(by: { $0.key < $1.key }) {
                try Self.add(samples, of: Self.number(of: device, db), db)
            }
            for (device, facts) in batch.facts.sorted(by: { $0.key < $1.key }) {
                let device = try Self.number(of: device, db)
                var kinds: Set<RecordedFact.Kind> = []
                for fact in facts {
                    if try Self.add(fact, of: device, db) { kinds.insert(fact.kind) }
                }
                for kind in kinds { try Self.removeSurplus(of: device, kind, atMost: .max, db) }
            }
            KillPoint.historyWritten.pass()
        }
    }

    private static func number(of device: RecordedDevice, _ db: Database) throws -> Int {
        if let number = try knownNumber(of: device.device, in: device.home, db) { return number }
        try db.execute(
            sql: "INSERT INTO device (home, device) VALUES (?, ?)",
            arguments: [device.home.text, device.device.text])
        return Int(db.lastInsertedRowID)
    }

    /// By which number the file knows a device; `nil` where it does not.
    static func knownNumber(
        of device: DeviceID, in home: HomeID, _ db: Database
    ) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM device WHERE home = ? AND device = ?"),
            arguments: [home.text, device.text])
    }

    private static func add(_ samples: [RecordedSample], of device: Int, _ db: Database) throws {
        let insertion = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO sample (device, at, boot, n, body) VALUES (?, ?, ?, ?, ?)")
        // What is in a block already: looked at for samples only that are not newer than it.
        var packed: [Int: Set<SampleKey>] = [:]
        for sample in samples {
            let key = SampleKey(sample)
            let hour = HistoryBlock.start(of: key.at, .samples)
            if packed[hour] == nil,
                let last = try HistoryBlock.last(.samples, of: device, at: hour, db), key.at <= last
            {
                let block = try HistoryBlock.fetch(.samples, of: device, at: hour, db)
                packed[hour] = Set(block?.samples?.map(SampleKey.init) ?? [])
            }
            if packed[hour]?.contains(key) == true { continue }
            try insertion.execute(arguments: [
                device, key.at, key.boot, key.n, Blob(SampleBlock.bytes(of: [sample])),
            ])
        }
    }

    /// - Returns: whether it is new.
    private static func add(_ fact: RecordedFact, of device: Int, _ db: Database) throws -> Bool {
        if fact.kind == .presence {
            // It is announced again with every connection.
            let former = try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT name FROM fact WHERE device = ? AND kind = 'presence' AND at <= ?
                        ORDER BY at DESC LIMIT 1
                        """), arguments: [device, fact.at.milliseconds])
            if former == fact.name { return false }
        }
        let detail = String(decoding: JSONWriter.write(.object(fact.detail)), as: UTF8.self)
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO fact (device, kind, at, name, id, detail)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            device, fact.kind.rawValue, fact.at.milliseconds, fact.name, fact.id, detail,
        ])
        return db.changesCount > 0
    }
}
