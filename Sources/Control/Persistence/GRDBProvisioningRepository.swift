public import DeviceDomain
internal import GRDB
internal import LedgerRows
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
            SELECT \(list(ProvisioningRow.columns)) FROM provisioning WHERE home = ? AND label = ?
            ORDER BY step = 'rolled-back', number DESC LIMIT 1
            """, [.text(home.text), .text(label)], as: { try ProvisioningRow.record($0) })
    }

    public func add(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        let columns = ProvisioningRow.columns
        let added = try await database.changeAttempt(
            """
            INSERT INTO provisioning (\(list(columns))) VALUES (\(marks(for: columns)))
            ON CONFLICT DO NOTHING
            """, ProvisioningRow.values(of: record))
        guard added else { throw .otherProcess(record) }
    }

    public func update(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        let columns = ProvisioningRow.changingColumns
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let changed = try await database.changeAttempt(
            "UPDATE provisioning SET \(assignments) WHERE attempt = ? AND revision = ?",
            ProvisioningRow.changingValues(of: record) + [
                .text(record.attempt.rawValue), .integer(record.revision - 1),
            ])
        guard changed else { throw .otherProcess(record) }
    }
}
