public import DeviceDomain
internal import GRDB
public import Provisioning

/// The attempts to provision devices, in SQLite beside the ledger.
public struct GRDBProvisioningRepository: ProvisioningRepository {
    private let database: LedgerDatabase

    /// The attempts in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    public func latest(
        of label: String, in home: HomeID
    ) async throws(ProvisioningError) -> ProvisioningRecord? {
        try await database.attempt(
            """
            SELECT * FROM provisioning WHERE home = ? AND label = ?
            ORDER BY step = 'rolled-back', number DESC LIMIT 1
            """, [home.text, label], as: ProvisioningRow.record)
    }

    public func add(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        let added = try await database.changeAttempt(
            """
            INSERT INTO provisioning
            (attempt, home, label, device, startedAt, step, nonce, serial, revision)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                record.attempt.rawValue, record.home.text, record.label, record.device.text,
                record.startedAt.milliseconds, record.step.rawValue, record.nonce?.rawValue,
                record.serial, record.revision,
            ])
        guard added else { throw .otherProcess(record) }
    }

    public func update(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        let changed = try await database.changeAttempt(
            """
            UPDATE provisioning SET step = ?, nonce = ?, serial = ?, revision = ?
            WHERE attempt = ? AND revision = ?
            """,
            [
                record.step.rawValue, record.nonce?.rawValue, record.serial, record.revision,
                record.attempt.rawValue, record.revision - 1,
            ])
        guard changed else { throw .otherProcess(record) }
    }
}

/// An attempt as columns.
private enum ProvisioningRow {
    /// - Throws: `DatabaseError` if a column holds what was never written.
    static func record(_ row: Row) throws -> ProvisioningRecord {
        ProvisioningRecord(
            attempt: try StoredValue.required(
                ProvisioningAttemptID(rawValue: row["attempt"]), "attempt"),
            home: try StoredValue.required(HomeID(rawValue: row["home"]), "home"),
            label: row["label"],
            device: try StoredValue.required(DeviceID(rawValue: row["device"]), "device"),
            startedAt: Timestamp(milliseconds: row["startedAt"]),
            step: try StoredValue.required(
                ProvisioningRecord.Step(rawValue: row["step"]), "step"),
            nonce: (row["nonce"] as String?).flatMap(ClaimNonce.init(rawValue:)),
            serial: row["serial"], revision: row["revision"])
    }
}

extension ProvisioningError {
    fileprivate static func otherProcess(_ record: ProvisioningRecord) -> ProvisioningError {
        ProvisioningError(
            .otherProcess, "another process brings \(record.label) into the home", .runAgain)
    }
}
