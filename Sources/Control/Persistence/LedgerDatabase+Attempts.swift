internal import DeviceControl
internal import DeviceDomain
internal import GRDB
internal import Provisioning

/// What the attempts of boxed devices and of Matter devices share.
extension LedgerDatabase {
    /// The first row, read as an attempt.
    func attempt<Record: Sendable>(
        _ sql: String, _ arguments: StatementArguments,
        as record: @escaping @Sendable (Row) throws -> Record
    ) async throws(ProvisioningError) -> Record? {
        do {
            return try await read { db in
                try Row.fetchOne(db, sql: sql, arguments: arguments).map(record)
            }
        } catch {
            throw Self.storage(error)
        }
    }

    /// - Returns: whether a row was changed.
    func changeAttempt(
        _ sql: String, _ arguments: StatementArguments
    ) async throws(ProvisioningError) -> Bool {
        do {
            return try await write(.powerCut) { transaction in
                try transaction.db.execute(sql: sql, arguments: arguments)
                return transaction.db.changesCount > 0
            }
        } catch {
            throw Self.storage(error)
        }
    }

    private static func storage(_ error: LedgerError) -> ProvisioningError {
        ProvisioningError(.storage, "\(error)", .checkStorage)
    }
}
