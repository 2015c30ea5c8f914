internal import DeviceControl
internal import GRDB
internal import LedgerRows

/// One transaction of the ledger. It knows the end of the log, which is read once and stored once however
/// many events are added.
final class LedgerTransaction {
    let db: Database
    private var head: AuditHead?

    init(_ db: Database) { self.db = db }

    /// Adds events to the log, in order, each linked to the one before.
    func log(_ events: [LedgerEvent]) throws {
        guard !events.isEmpty else { return }
        var end = try head ?? AuditHead.fetch(in: db)
        for event in events { end = try EventRow.insert(event, after: end, into: db) }
        head = end
    }

    /// Completes the transaction: the last step before its commit.
    func storeEnd() throws { try head?.store(in: db) }
}
