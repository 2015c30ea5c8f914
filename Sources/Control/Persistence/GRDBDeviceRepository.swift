public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

/// The devices that were seen, in SQLite: each as its own description and the channel that heard
/// it.
public struct GRDBDeviceRepository: DeviceRepository {
    let database: LedgerDatabase

    /// The devices in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    /// What is known already costs no write; what is new costs one transaction and no sync.
    public func remember(_ devices: [RememberedDevice]) async throws {
        let rows = DeviceRow.latest(devices)
        let changed = try await database.read { db in
            try rows.filter { try !$0.isStored(in: db) }
        }
        guard !changed.isEmpty else { return }
        try await database.write { transaction in
            for row in changed { try row.store(in: transaction.db) }
        }
        try await database.shortenLog()
    }

    public func device(_ device: DeviceID, in home: HomeID) async throws -> RememberedDevice? {
        let row = try await database.read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: DeviceRow.selection),
                arguments: [home.text, device.text]
            ).map { try DeviceRow(SQLiteRow($0)) }
        }
        return try row.map { try $0.remembered() }
    }

    public func devices(in home: HomeID) async throws -> [RememberedDevice] {
        let rows = try await database.read { db in try DeviceRow.fetchAll(in: home, db) }
        return try rows.map { try $0.remembered() }
    }

    /// As ``devices(in:)``, but on the caller's thread, which it blocks. A device whose description
    /// is damaged is left out.
    /// - Throws: ``LedgerError``.
    public func readDevices(in home: HomeID) throws(LedgerError) -> [RememberedDevice] {
        let rows = try database.readNow { db in try DeviceRow.fetchAll(in: home, db) }
        return rows.compactMap { try? $0.remembered() }
    }

    public func forget(_ device: DeviceID, in home: HomeID) async throws {
        try await database.write { transaction in
            try transaction.db.execute(
                sql: "DELETE FROM device WHERE home = ? AND device = ?",
                arguments: [home.text, device.text])
        }
    }
}
