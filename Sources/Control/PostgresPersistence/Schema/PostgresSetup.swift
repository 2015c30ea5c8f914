internal import DeviceControl

/// Makes the tables, and brings those of an older version up to date.
struct PostgresSetup {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// - Throws: ``LedgerError`` `newerSchema`, `foreign`; ``PostgresFailure``.
    func bringUpToDate() throws {
        let version = try version()
        guard version < PostgresSchema.migrations.count else {
            return try refuseIfNewer(version)
        }
        try refuseOtherEncoding()
        do {
            try migrate()
        } catch {
            _ = try? connection.run(PostgresStatement("ROLLBACK"))
            throw error
        }
    }

    /// Whether the tables are there, in this version; else they can be made.
    /// - Throws: as ``bringUpToDate()``, and ``LedgerError`` `failed` where the user may not make them.
    func hasTables() throws -> Bool {
        let version = try version()
        try refuseIfNewer(version)
        guard version == 0 else { return true }
        try refuseOtherEncoding()
        let isMade = try hasNamespace()
        let mayMake = try flag(
            isMade
                ? "SELECT has_schema_privilege('\(PostgresSchema.name)', 'CREATE')"
                : "SELECT has_database_privilege(current_database(), 'CREATE')")
        guard mayMake else {
            throw LedgerError(
                .failed,
                "the database has no ledger yet, and its user may not make the schema "
                    + "\(PostgresSchema.name) with its tables; GRANT CREATE ON DATABASE lets it")
        }
        return false
    }

    /// Every missing migration in one transaction. Who comes at the same time waits, and finds nothing to do.
    private func migrate() throws {
        _ = try connection.run([
            PostgresStatement("BEGIN"),
            // It may wait for a migration of a large ledger.
            PostgresStatement("SET LOCAL statement_timeout = 0"),
            PostgresStatement("SET LOCAL lock_timeout = 0"),
            PostgresStatement("SELECT pg_advisory_xact_lock(\(Self.lock))"),
        ])
        let found = try version()
        try refuseIfNewer(found)
        if found == 0 { try makeNamespace() }
        for (index, migration) in PostgresSchema.migrations.enumerated().dropFirst(found) {
            _ = try connection.run(migration.statements.map { PostgresStatement($0) })
            _ = try connection.run(
                PostgresStatement(
                    "INSERT INTO migration (number, name, at) VALUES ($1, $2, ledgerClock())",
                    [.integer(index + 1), .text(migration.name)]))
        }
        _ = try connection.run(PostgresStatement("COMMIT"))
    }

    /// Whether the schema is there, which is empty then.
    /// - Throws: ``LedgerError`` `foreign` where it is not.
    private func hasNamespace() throws -> Bool {
        let name = PostgresSchema.name
        guard try flag("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = '\(name)')") else {
            return false
        }
        let isEmpty = try flag(
            """
            SELECT NOT EXISTS (
                SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = '\(name)')
            """)
        guard isEmpty else {
            throw LedgerError(
                .foreign,
                "the database has tables of another program in the schema \(name); nothing was "
                    + "changed; choose another database")
        }
        return true
    }

    private func makeNamespace() throws {
        if try !hasNamespace() {
            _ = try connection.run(PostgresStatement("CREATE SCHEMA \(PostgresSchema.name)"))
        }
        _ = try connection.run(
            PostgresStatement(
                """
                CREATE TABLE migration (
                    number bigint PRIMARY KEY, name text NOT NULL, at bigint NOT NULL
                )
                """))
    }

    /// How many migrations were run; 0 where there are no tables.
    private func version() throws -> Int {
        // Read, not looked up by to_regclass: within a transaction the server may remember that there was none.
        let isThere = try flag(
            """
            SELECT EXISTS (
                SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = '\(PostgresSchema.name)' AND relname = 'migration')
            """)
        guard isThere else { return 0 }
        let rows = try connection.run(PostgresStatement("SELECT max(number) FROM migration"))
        return rows.first?.integer(0) ?? 0
    }

    private func flag(_ sql: String) throws -> Bool {
        try connection.run(PostgresStatement(sql)).first?.flag(0) ?? false
    }

    private func refuseIfNewer(_ version: Int) throws(LedgerError) {
        guard version > PostgresSchema.migrations.count else { return }
        throw LedgerError(
            .newerSchema,
            "the ledger was written by a newer version (schema \(version), this program knows "
                + "\(PostgresSchema.migrations.count)); nothing was changed; use the newer program or "
                + "another database")
    }

    private func refuseOtherEncoding() throws {
        let rows = try connection.run(
            PostgresStatement("SELECT current_setting('server_encoding')"))
        guard let encoding = rows.first?.text(0), encoding != "UTF8" else { return }
        throw LedgerError(
            .foreign,
            "the database keeps texts as \(encoding), which cannot hold every name; make one with "
                + "createdb --encoding=UTF8 --template=template0")
    }

    /// "HPLG" in ASCII: what programs that make tables at the same time wait for.
    private static let lock = 0x4850_4C47
}
