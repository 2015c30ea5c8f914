internal import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// The devices that were seen, in SQLite: each as its own description.
public struct GRDBDeviceRepository: DeviceRepository {
    private let database: LedgerDatabase

    /// The devices in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    /// A profile that is known already costs no write; a new one no sync.
    public func remember(_ profile: DeviceProfile) async throws {
        let description = Blob(DescriptionMessage(profile: profile).payload)
        guard try await self.description(of: profile.id, in: profile.home) != description else {
            return
        }
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO device (home, device, description) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET description = excluded.description
                    """,
                arguments: [profile.home.text, profile.id.text, description])
        }
    }

    public func profile(of device: DeviceID, in home: HomeID) async throws -> DeviceProfile? {
        let description = try await description(of: device, in: home)
        return try description.map { try Self.profile($0, in: home) }
    }

    public func profiles(in home: HomeID) async throws -> [DeviceProfile] {
        let descriptions = try await database.read { db in
            try Blob.fetchAll(
                db, sql: "SELECT description FROM device WHERE home = ? ORDER BY device",
                arguments: [home.text])
        }
        return try descriptions.map { try Self.profile($0, in: home) }
    }

    private func description(of device: DeviceID, in home: HomeID) async throws -> Blob? {
        try await database.read { db in
            try Blob.fetchOne(
                db, sql: "SELECT description FROM device WHERE home = ? AND device = ?",
                arguments: [home.text, device.text])
        }
    }

    private static func profile(_ description: Blob, in home: HomeID) throws(LedgerError)
        -> DeviceProfile
    {
        do {
            return try DescriptionMessage(payload: description.bytes).profile(home: home)
        } catch {
            throw LedgerError(
                .corrupt, "the ledger holds a damaged description of a device",
                underlying: "\(error)")
        }
    }
}
