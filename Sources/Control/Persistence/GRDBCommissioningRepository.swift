public import DeviceDomain
internal import GRDB
internal import LedgerRows
public import Provisioning

/// The attempts to bring Matter devices onto servers, in SQLite beside the ledger.
public struct GRDBCommissioningRepository: CommissioningRepository {
    private let database: LedgerDatabase

    /// The attempts in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    public func latest(
        of label: String, on channel: ChannelID, in home: HomeID
    ) async throws(ProvisioningError) -> CommissioningRecord? {
        try await database.attempt(
            """
            SELECT \(list(CommissioningRow.columns)) FROM commissioning WHERE home = ? AND channel = ? AND label = ?
            ORDER BY step = 'rolled-back', number DESC LIMIT 1
            """, [.text(home.text), .text(channel.text), .text(label)],
            as: { try CommissioningRow.record($0) })
    }

    public func add(_ record: CommissioningRecord) async throws(ProvisioningError) {
        let columns = CommissioningRow.columns
        let added = try await database.changeAttempt(
            """
            INSERT INTO commissioning (\(list(columns))) VALUES (\(marks(for: columns)))
            ON CONFLICT DO NOTHING
            """, CommissioningRow.values(of: record))
        guard added else { throw .otherCommissioner }
    }

    public func update(_ record: CommissioningRecord) async throws(ProvisioningError) {
        let columns = CommissioningRow.changingColumns
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let changed = try await database.changeAttempt(
            "UPDATE commissioning SET \(assignments) WHERE attempt = ? AND revision = ?",
            CommissioningRow.changingValues(of: record) + [
                .text(record.attempt.rawValue), .integer(record.revision - 1),
            ])
        guard changed else { throw .otherCommissioner }
    }
}
