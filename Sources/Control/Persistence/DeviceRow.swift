internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// A device as columns.
struct DeviceRow: Hashable, Sendable {
    let home: String
    let device: String
    let description: Blob
    let channel: String
    /// When it was last heard, in ms since 1970.
    let heardAt: Int?

    /// A device that was heard again is written no earlier than after so many ms: what is said of its age
    /// need not be exact.
    static let heardStep = 10 * 60_000

    init(_ device: RememberedDevice) {
        home = device.profile.home.text
        self.device = device.profile.id.text
        description = Blob(DescriptionMessage(profile: device.profile).payload)
        channel = device.channel.text
        heardAt = device.heardAt?.milliseconds
    }

    /// Reads a row of the table `device`.
    init(_ row: Row) {
        home = row["home"]
        device = row["device"]
        description = row["description"]
        channel = row["channel"]
        heardAt = row["at"]
    }

    /// What the row says.
    /// - Throws: ``LedgerError`` `corrupt` if it holds what was never written.
    func remembered() throws(LedgerError) -> RememberedDevice {
        do {
            let message = try DescriptionMessage(payload: description.bytes)
            return RememberedDevice(
                profile: message.profile(home: try HomeID(home)), channel: try ChannelID(channel),
                heardAt: heardAt.map(Timestamp.init(milliseconds:)))
        } catch {
            throw LedgerError(
                .corrupt, "the ledger holds a damaged description of the device \(device)",
                underlying: "\(error)")
        }
    }

    /// Every device of a home, in the order of their ids.
    static func fetchAll(in home: HomeID, _ db: Database) throws -> [DeviceRow] {
        try Row.fetchAll(db, sql: selectionOfHome, arguments: [home.text]).map(DeviceRow.init)
    }

    /// Whether the tables say the same, or of its last message nearly so.
    func isStored(in db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: Self.selection), arguments: [home, device])
        guard let stored = row.map(DeviceRow.init), stored.description == description,
            stored.channel == channel
        else { return false }
        guard let heardAt else { return true }
        return stored.heardAt.map { heardAt - $0 < Self.heardStep } ?? false
    }

    /// Puts the device into the tables, or replaces what they say of it.
    func store(in db: Database) throws {
        try db.cachedStatement(sql: Self.replacement).execute(
            arguments: [home, device, description, channel])
        guard let heardAt else { return }
        try db.cachedStatement(sql: Self.hearing).execute(arguments: [home, device, heardAt])
    }

    // MARK: Statements

    /// One device.
    static let selection = "\(selectionOfAll) WHERE home = ? AND device = ?"
    private static let selectionOfHome = "\(selectionOfAll) WHERE home = ? ORDER BY device"
    private static let selectionOfAll =
        "SELECT \(columns), at FROM device LEFT JOIN heard USING (home, device)"

    private static let replacement = """
        INSERT INTO device (\(columns)) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE
        SET description = excluded.description, channel = excluded.channel
        WHERE description <> excluded.description OR channel <> excluded.channel
        """

    /// A clock that was set back makes nothing older.
    private static let hearing = """
        INSERT INTO heard (home, device, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < excluded.at
        """

    private static let columns = "home, device, description, channel"
}
