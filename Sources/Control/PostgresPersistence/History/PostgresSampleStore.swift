internal import Basics
internal import DeviceControl
public import DeviceDomain
internal import DeviceMessages
public import History
internal import LedgerRows

/// What happened in homes, in the database of their ledger: as it was heard, for some days, without means.
///
/// A day has tables of its own. A sample goes into those of the day of its stamp, or, where the clock of the device is
/// wrong by more than a day, into those of the day before or after: so three days are open, and a new owner of a home that
/// hears what the former one has written keeps nothing twice. Presence is kept where it changes.
public final class PostgresSampleStore: SampleStore {
    /// How long a day is, in milliseconds.
    static let dayLength = 86_400_000
    /// How many samples go to the server in one statement.
    private static let mostRows = 5_000

    let database: PostgresDatabase
    private let age: Duration?
    /// The day whose tables, and those beside it, were found or made.
    private let openDay = Guarded<Int?>(nil)

    /// - Parameter age: how long samples and facts are kept at least, in whole days of the clock of the database; `nil`
    ///   for who only reads.
    public init(_ database: PostgresDatabase, keptFor age: Duration?) {
        self.database = database
        self.age = age
    }

    // MARK: Writing

    /// It is done in one transaction, which a power cut of the server may take back; it may be repeated.
    public func add(_ batch: HistoryBatch) async throws(HistoryError) {
        try await perform { [self] connection in
            do {
                let today = try openTables(on: connection)
                try Self.commit(
                    [PostgresStatement("SET LOCAL synchronous_commit = off")]
                        + Self.samples(of: batch, today) + Self.facts(of: batch, today),
                    on: connection)
            } catch {
                // Somebody may have dropped a table that is open.
                openDay.withLock { $0 = nil }
                throw error
            }
        }
    }

    private static func samples(of batch: HistoryBatch, _ today: Int) -> [PostgresStatement] {
        let rows = batch.samples.flatMap { device, samples in samples.map { (device, $0) } }
        return rows.parts(of: mostRows).map { rows in
            PostgresStatement(
                """
                INSERT INTO sample (home, device, at, boot, n, day, signals)
                SELECT home, device, at, boot, n, \(day), signals
                FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::json[])
                    AS new (home, device, at, boot, n, signals)
                ON CONFLICT DO NOTHING
                """,
                [
                    .integer(today), .texts(rows.map(\.0.home.text)),
                    .texts(rows.map(\.0.device.text)),
                    .integers(rows.map(\.1.at.milliseconds)),
                    .texts(rows.map { $0.1.boot?.text ?? "" }),
                    .integers(rows.map { $0.1.n ?? 0 }),
                    .documents(rows.map { JSONWriter.write(.object($0.1.values)) }),
                ])
        }
    }

    private static func facts(of batch: HistoryBatch, _ today: Int) -> [PostgresStatement] {
        let rows = batch.facts.flatMap { device, facts in facts.map { (device, $0) } }
        return rows.parts(of: mostRows).map { rows in
            PostgresStatement(
                """
                INSERT INTO fact (home, device, kind, at, name, id, day, detail)
                SELECT home, device, kind, at, name, id, \(day), detail
                FROM (
                    SELECT *, lag(name) OVER (PARTITION BY home, device, kind ORDER BY at, place) AS former
                    FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                        $8::json[]) WITH ORDINALITY AS heard (home, device, kind, at, name, id, detail, place)
                ) AS new
                WHERE kind <> '\(RecordedFact.Kind.presence.rawValue)' OR name IS DISTINCT FROM coalesce(former, (
                    SELECT fact.name FROM fact WHERE fact.home = new.home AND fact.device = new.device
                        AND fact.kind = new.kind AND fact.at <= new.at ORDER BY fact.at DESC LIMIT 1))
                ON CONFLICT DO NOTHING
                """,
                [
                    .integer(today), .texts(rows.map(\.0.home.text)),
                    .texts(rows.map(\.0.device.text)), .texts(rows.map(\.1.kind.rawValue)),
                    .integers(rows.map(\.1.at.milliseconds)), .texts(rows.map(\.1.name)),
                    .texts(rows.map(\.1.id)),
                    .documents(rows.map { JSONWriter.write(.object($0.1.detail)) }),
                ])
        }
    }

    /// The day of a row, of which `$1` is the present one: that of its stamp, where its tables are open.
    private static let day =
        "least(greatest(floor(at / \(dayLength)::numeric), $1::bigint - 1), $1::bigint + 1)::bigint"

    // MARK: Days

    /// Makes the tables of the day before, of the present one and of the next one, where they are missing.
    /// - Returns: the present day by the clock of the database.
    private func openTables(on connection: PostgresConnection) throws -> Int {
        let now = try connection.run(PostgresStatement("SELECT ledgerClock()")).first?.integer(0)
        guard let now else { throw DamagedColumn(name: "ledgerClock") }
        let today = now.period(of: Self.dayLength)
        guard openDay.withLock({ $0 }) != today else { return today }
        // Others may make them at the same time.
        var statements = [Self.lock]
        for day in today - 1...today + 1 {
            for table in Self.tables {
                statements.append(
                    PostgresStatement(
                        """
                        CREATE TABLE IF NOT EXISTS \(Self.name(of: table, day))
                        PARTITION OF \(table) FOR VALUES IN (\(day))
                        """))
            }
        }
        try Self.commit(statements, on: connection)
        openDay.withLock { $0 = today }
        return today
    }

    /// Drops the tables of one day that are too old. A day is too old when its last moment is.
    public func maintain(at now: Timestamp) async throws(HistoryError) -> Bool {
        guard let age else { return false }
        return try await perform { connection in
            let old = try connection.run(
                PostgresStatement(
                    """
                    SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
                    WHERE inhparent = ANY(ARRAY[\(Self.tables.map { "'\($0)'::regclass" }.joined(separator: ", "))])
                        AND substring(relname FROM '_([0-9]+)$')::bigint
                            < floor((ledgerClock() - $1::bigint) / \(Self.dayLength)::numeric)
                    ORDER BY relname LIMIT 2
                    """, [.integer(age.wholeMilliseconds)])
            ).rows.compactMap { $0.text(0) }
            guard !old.isEmpty else { return false }
            let drops = old.map { PostgresStatement("DROP TABLE IF EXISTS \($0)") }
            try Self.commit([Self.lock] + drops, on: connection)
            return true
        }
    }

    private static let tables = ["sample", "fact"]

    private static func name(of table: String, _ day: Int) -> String { "\(table)_\(day)" }

    /// What writers that make or drop tables at the same time wait for: "HPHI" in ASCII.
    private static let lock = PostgresStatement("SELECT pg_advisory_xact_lock(\(0x4850_4849))")

    // MARK: The connection

    /// Runs statements in one transaction, in one exchange with the server.
    private static func commit(
        _ statements: [PostgresStatement], on connection: PostgresConnection
    ) throws {
        do {
            _ = try connection.run(
                [PostgresStatement("BEGIN")] + statements + [PostgresStatement("COMMIT")])
        } catch {
            PostgresTransaction.takeBack(on: connection)
            throw error
        }
    }

    /// Does something that may be repeated.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(HistoryError) -> Value {
        do throws(LedgerError) {
            return try await database.read(body)
        } catch {
            throw HistoryError(error)
        }
    }
}

extension HistoryError {
    /// A failure of the database that ledger and history are in.
    fileprivate init(_ error: LedgerError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unreachable
            case .full: .full
            case .busy: .busy
            case .unwritable, .foreign: .unwritable
            case .newerSchema: .newerSchema
            default: .failed
            }
        self.init(code, error.message, underlying: error.underlying)
    }
}

extension Array {
    /// Its elements in their order, so many together at most.
    fileprivate func parts(of length: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: length).map { self[$0..<Swift.min($0 + length, count)] }
    }
}
