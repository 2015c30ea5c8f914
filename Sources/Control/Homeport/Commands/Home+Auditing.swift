public import DeviceControl

extension Home {
    /// Entries of the ledger's log, in order, from the one after `number` on: of every home and every
    /// controller that the ledger knows. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func auditEntries(
        after number: Int = 0, limit: Int = 1_000
    ) async throws(HomeError) -> [AuditEntry] {
        let control = try await openedControl()
        do {
            return try await control.audit.entries(after: number, limit: limit)
        } catch {
            throw HomeError(error)
        }
    }

    /// Checks that the ledger's log is as it was written: the hash of every entry, their order, the
    /// last one, and every command against its entries. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func verifyAudit() async throws(HomeError) -> AuditReport {
        let control = try await openedControl()
        do {
            return try await control.audit.verify()
        } catch {
            throw HomeError(error)
        }
    }
}
