public import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import LedgerRows

/// What several processes need to know of each other.
extension PostgresCommandLedger {
    public func allotRevision(
        ofSettingsFor device: DeviceID, in home: HomeID, atLeast least: Int
    ) async throws(LedgerError) -> Int {
        try await database.write { transaction in
            let rows = try transaction.query(
                PostgresStatement(
                    """
                    INSERT INTO keptSettings (home, device, revision) VALUES ($1, $2, $3)
                    ON CONFLICT (home, device) DO UPDATE
                        SET revision = greatest(keptSettings.revision + 1, excluded.revision)
                    RETURNING revision
                    """, [.text(home.text), .text(device.text), .integer(least)]))
            return try StoredValue.required(rows.first?.integer(0), "revision")
        }
    }

    public func tenures(
        during command: CommandID
    ) async throws(LedgerError) -> [HomeTenure] {
        try await database.read { connection in
            let rows = try connection.run(Self.tenures(during: command)).rows.map { row in
                HomeTenure(
                    instance: row.text(0),
                    since: Timestamp(milliseconds: try StoredValue.required(row.integer(1), "at")),
                    entries: try StoredValue.required(row.integer(2), "entries"))
            }
            // Of what was before the command the last one counts.
            let former = rows.lastIndex { $0.entries == 0 } ?? 0
            return Array(rows[former...])
        }
    }

    /// The anchors of a command's home, from the last place of an anchor before its first entry on, and where it has
    /// ended up to its last one.
    private static func tenures(during command: CommandID) -> PostgresStatement {
        PostgresStatement(
            """
            WITH wanted AS (
                SELECT controller, home, isOpen OR state = 'unknown' AS lasts,
                    (SELECT min(number) FROM event WHERE command = $1) AS firstEntry,
                    (SELECT max(number) FROM event WHERE command = $1) AS lastEntry
                FROM command WHERE id = $1
            ), taking AS (
                SELECT anchor.* FROM anchor JOIN wanted USING (controller, home) WHERE epoch > 0
            )
            SELECT instance, at,
                (SELECT count(*) FROM event WHERE command = $1 AND number <= taking.lastNumber)
            FROM taking, wanted
            WHERE taking.lastNumber >= (
                    SELECT coalesce(max(lastNumber), 0) FROM taking WHERE lastNumber < firstEntry)
                AND (lasts OR taking.lastNumber < lastEntry)
            ORDER BY number
            """, [.bytes(command.bytes)])
    }
}
