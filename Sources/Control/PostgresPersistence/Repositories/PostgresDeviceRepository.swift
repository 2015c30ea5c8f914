public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// The devices that were seen, in PostgreSQL: each as its own description and the channel that heard it.
public struct PostgresDeviceRepository: DeviceRepository {
    private let database: PostgresDatabase

    /// The devices in a database.
    public init(_ database: PostgresDatabase) { self.database = database }

    /// What is known already costs no write; what is new costs one transaction.
    public func remember(_ devices: [RememberedDevice]) async throws {
        let rows = DeviceRow.latest(devices)
        let homes = Set(rows.map(\.home))
        let known = try await database.read { connection in
            try homes.flatMap { home in
                try connection.run(Self.selection("home = $1", [.text(home)])).rows
                    .map(DeviceRow.init)
            }
        }
        let stored = Dictionary(known.map { ([$0.home, $0.device], $0) }) { first, _ in first }
        let changed = rows.filter { row in
            stored[[row.home, row.device]].map { !row.isSaid(by: $0) } ?? true
        }
        guard !changed.isEmpty else { return }
        try await database.write { transaction in
            for row in changed { Self.store(row, in: transaction) }
        }
    }

    public func device(_ device: DeviceID, in home: HomeID) async throws -> RememberedDevice? {
        let row = try await database.read { connection in
            try connection.run(
                Self.selection("home = $1 AND device = $2", [.text(home.text), .text(device.text)])
            ).first.map(DeviceRow.init)
        }
        return try row.map { try $0.remembered() }
    }

    public func devices(in home: HomeID) async throws -> [RememberedDevice] {
        let rows = try await database.read { connection in
            try connection.run(Self.selection("home = $1", [.text(home.text)])).rows
                .map(DeviceRow.init)
        }
        return try rows.map { try $0.remembered() }
    }

    /// As ``devices(in:)``, but on the caller's thread, which it blocks. A device whose description
    /// is damaged is left out.
    /// - Throws: ``LedgerError``.
    public func readDevices(in home: HomeID) throws(LedgerError) -> [RememberedDevice] {
        let rows = try database.now { connection in
            try connection.run(Self.selection("home = $1", [.text(home.text)])).rows
                .map(DeviceRow.init)
        }
        return rows.compactMap { try? $0.remembered() }
    }

    public func identifiers(in home: HomeID, on channel: ChannelID) async throws -> Set<DeviceID> {
        let texts = try await database.read { connection in
            try connection.run(
                PostgresStatement(
                    "SELECT device FROM device WHERE home = $1 AND channel = $2",
                    [.text(home.text), .text(channel.text)])
            ).rows.compactMap { $0.text(0) }
        }
        return try Set(texts.map { text in try DeviceID(text) })
    }

    public func forget(_ device: DeviceID, in home: HomeID) async throws {
        try await database.write { transaction in
            transaction.add(
                PostgresStatement(
                    "DELETE FROM device WHERE home = $1 AND device = $2",
                    [.text(home.text), .text(device.text)]))
        }
    }

    private static func selection(
        _ condition: String, _ values: [PostgresValue]
    ) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(list(DeviceRow.columns)) FROM device LEFT JOIN heard USING (home, device)
            WHERE \(condition) ORDER BY device
            """, values)
    }

    /// Puts a device into the tables, or replaces what they say of it. A clock that was set back makes nothing older.
    private static func store(_ row: DeviceRow, in transaction: PostgresTransaction) {
        transaction.add(
            PostgresStatement(
                """
                \(CommandStatements.statement(into: "device", DeviceRow.deviceColumns))
                ON CONFLICT (home, device) DO UPDATE
                SET description = excluded.description, channel = excluded.channel
                WHERE device.description <> excluded.description
                    OR device.channel <> excluded.channel
                """, columns: row.values))
        guard let heardAt = row.heardAt else { return }
        transaction.add(
            PostgresStatement(
                """
                INSERT INTO heard (home, device, at) VALUES ($1, $2, $3)
                ON CONFLICT (home, device) DO UPDATE SET at = excluded.at
                WHERE heard.at < excluded.at
                """, [.text(row.home), .text(row.device), .integer(heardAt)]))
    }
}
