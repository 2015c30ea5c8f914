package import DeviceControl
internal import DeviceDomain
internal import LedgerRows

extension PostgresDatabase {
    /// The instances of a database, those that are alive first. It makes no tables: where there are none, there is no
    /// instance.
    /// - Throws: ``LedgerError``: `unreachable`, `newerSchema`.
    package static func instances(
        at address: PostgresAddress
    ) async throws(LedgerError) -> [LedgerInstance] {
        let database = PostgresDatabase(unopened: address, PostgresLimits(), writers: 0)
        defer { database.close() }
        return try await database.read { connection in
            guard try PostgresSetup(connection).hasTables() else { return [] }
            let rows = try connection.run(
                PostgresStatement(
                    """
                    SELECT name, expiresAt > ledgerClock() AS isAlive, expiresAt,
                        (SELECT count(*) FROM home WHERE home.instance = instance.number)
                    FROM instance ORDER BY isAlive DESC, name, number
                    """))
            return try rows.rows.map { row in
                LedgerInstance(
                    name: try StoredValue.required(row.text(0), "name"),
                    isAlive: row.flag(1) ?? false,
                    homes: try StoredValue.required(row.integer(3), "homes"),
                    expiresAt: Timestamp(
                        milliseconds: try StoredValue.required(row.integer(2), "expiresAt")))
            }
        }
    }
}
