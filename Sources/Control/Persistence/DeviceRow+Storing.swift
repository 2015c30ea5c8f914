internal import DeviceDomain
internal import GRDB
internal import LedgerRows

extension DeviceRow {
    /// Every device of a home, in the order of their ids.
    static func fetchAll(in home: HomeID, _ db: Database) throws -> [DeviceRow] {
        try Row.fetchAll(db, sql: selectionOfHome, arguments: [home.text])
            .map { try DeviceRow(SQLiteRow($0)) }
    }

    /// Whether the tables say the same, or of its last message nearly so.
    func isStored(in db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: Self.selection), arguments: [home, device])
        return try row.map { isSaid(by: try DeviceRow(SQLiteRow($0))) } ?? false
    }

    /// Puts the device into the tables, or replaces what they say of it.
    func store(in db: Database) throws {
        try db.cachedStatement(sql: Self.replacement).execute(
            arguments: StatementArguments(values))
        guard let heardAt else { return }
        try db.cachedStatement(sql: Self.hearing).execute(arguments: [home, device, heardAt])
    }

    // MARK: Statements

    /// One device.
    static let selection = "\(selectionOfAll) WHERE home = ? AND device = ?"
    private static let selectionOfHome = "\(selectionOfAll) WHERE home = ? ORDER BY device"
    private static let selectionOfAll =
        "SELECT \(list(columns)) FROM device LEFT JOIN heard USING (home, device)"

    private static let replacement = """
        INSERT INTO device (\(list(deviceColumns))) VALUES (\(marks(for: deviceColumns)))
        ON CONFLICT DO UPDATE
        SET description = excluded.description, channel = excluded.channel
        WHERE description <> excluded.description OR channel <> excluded.channel
        """

    /// A clock that was set back makes nothing older.
    private static let hearing = """
        INSERT INTO heard (home, device, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < excluded.at
        """
}
