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

    init(_ device: RememberedDevice) {
        home = device.profile.home.text
        self.device = device.profile.id.text
        description = Blob(DescriptionMessage(profile: device.profile).payload)
        channel = device.channel.text
    }

    /// Reads a row of the table `device`.
    init(_ row: Row) {
        home = row["home"]
        device = row["device"]
        description = row["description"]
        channel = row["channel"]
    }

    /// What the row says.
    /// - Throws: ``LedgerError`` `corrupt` if it holds what was never written.
    func remembered() throws(LedgerError) -> RememberedDevice {
        do {
            let message = try DescriptionMessage(payload: description.bytes)
            return RememberedDevice(
                profile: message.profile(home: try HomeID(home)), channel: try ChannelID(channel))
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

    /// Whether the table says the same.
    func isStored(in db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: Self.selection), arguments: [home, device])
        return row.map(DeviceRow.init) == self
    }

    /// Puts the device into the table, or replaces what the table says of it.
    func store(in db: Database) throws {
        try db.cachedStatement(sql: Self.replacement).execute(
            arguments: [home, device, description, channel])
    }

    // MARK: Statements

    /// One device.
    static let selection = "SELECT \(columns) FROM device WHERE home = ? AND device = ?"
    private static let selectionOfHome =
        "SELECT \(columns) FROM device WHERE home = ? ORDER BY device"

    private static let replacement = """
        INSERT INTO device (\(columns)) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE
        SET description = excluded.description, channel = excluded.channel
        """

    private static let columns = "home, device, description, channel"
}
