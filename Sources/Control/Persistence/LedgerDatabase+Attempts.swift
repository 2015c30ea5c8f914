internal import DeviceControl
internal import DeviceDomain
internal import GRDB
internal import LedgerRows
internal import Provisioning

/// What the attempts of boxed devices and of Matter devices share.
extension LedgerDatabase {
    /// The first row, read as an attempt.
    func attempt<Record: Sendable>(
        _ sql: String, _ values: [ColumnValue],
        as record: @escaping @Sendable (SQLiteRow) throws -> Record
    ) async throws(ProvisioningError) -> Record? {
        do {
            return try await read { db in
                try Row.fetchOne(db, sql: sql, arguments: StatementArguments(values))
                    .map { try record(SQLiteRow($0)) }
            }
        } catch {
            throw .storage(error)
        }
    }

    /// - Returns: whether a row was changed.
    func changeAttempt(
        _ sql: String, _ values: [ColumnValue]
    ) async throws(ProvisioningError) -> Bool {
        do {
            return try await write(.powerCut) { transaction in
                try transaction.db.execute(
                    sql: sql, arguments: StatementArguments(values))
                return transaction.db.changesCount > 0
            }
        } catch {
            throw .storage(error)
        }
    }
}
