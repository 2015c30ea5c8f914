package import DeviceControl
package import DeviceDomain
internal import DeviceMessages

/// A device as columns.
package struct DeviceRow: Hashable, Sendable {
    package let home: String
    package let device: String
    private let description: [UInt8]
    private let channel: String
    /// When it was last heard, in ms since 1970.
    package let heardAt: Int?

    /// A device that was heard again is written no earlier than after so many ms: what is said of its age
    /// need not be exact.
    private static let heardStep = 10 * 60_000

    package init(_ device: RememberedDevice) {
        home = device.profile.home.text
        self.device = device.profile.id.text
        description = DescriptionMessage(profile: device.profile).payload
        channel = device.channel.text
        heardAt = device.heardAt?.milliseconds
    }

    /// What a query must select for ``init(_:)``: ``deviceColumns`` and when it was heard.
    package static let columns = deviceColumns + ["at"]

    /// The columns of the table `device`.
    package static let deviceColumns = ["home", "device", "description", "channel"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` for a null that was never written.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        home = try columns.text("home")
        device = try columns.text("device")
        description = try columns.bytes("description")
        channel = try columns.text("channel")
        heardAt = columns.integerIfAny()
    }

    /// The values of ``deviceColumns``.
    package var values: [ColumnValue] {
        [.text(home), .text(device), .bytes(description), .text(channel)]
    }

    /// Whether a stored row says the same, or of its last message nearly so.
    package func isSaid(by stored: DeviceRow) -> Bool {
        guard stored.description == description, stored.channel == channel else { return false }
        guard let heardAt else { return true }
        return stored.heardAt.map { heardAt - $0 < Self.heardStep } ?? false
    }

    /// The last of each device, so that an earlier one in the same batch is not written; in the order of
    /// the table's key, in which a database touches each page once.
    package static func latest(_ devices: [RememberedDevice]) -> [DeviceRow] {
        let rows = devices.map(DeviceRow.init)
        let byKey = Dictionary(rows.map { ([$0.home, $0.device], $0) }) { _, later in later }
        return byKey.values.sorted { ($0.home, $0.device) < ($1.home, $1.device) }
    }

    /// What the row says.
    /// - Throws: ``LedgerError`` `corrupt` if it holds what was never written.
    package func remembered() throws(LedgerError) -> RememberedDevice {
        do {
            let message = try DescriptionMessage(payload: description)
            return RememberedDevice(
                profile: message.profile(home: try HomeID(home)), channel: try ChannelID(channel),
                heardAt: heardAt.map(Timestamp.init(milliseconds:)))
        } catch {
            throw LedgerError(
                .corrupt, "the ledger holds a damaged description of the device \(device)",
                underlying: "\(error)")
        }
    }
}
