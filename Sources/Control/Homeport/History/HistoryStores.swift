internal import Basics
internal import History
internal import Persistence

/// The files of the history beside the ledger of a home. They are opened by who writes or reads them, and by nobody
/// else.
final class HistoryStores: Sendable {
    private let ledger: LedgerLocation
    private let writer = Guarded<GRDBSampleStore?>(nil)
    private let reader = Guarded<GRDBSampleStore?>(nil)

    init(beside ledger: LedgerLocation) { self.ledger = ledger }

    /// - Throws: ``HomeError`` `configuration` where the ledger is in a database: there is no file beside it.
    func requireFile() throws(HomeError) {
        guard try ledger.url() != nil else { return }
        throw HomeError(
            .configuration,
            "samples, presence and events are not kept while the ledger is in PostgreSQL; use a ledger in a "
                + "file where you need them")
    }

    /// The store for who keeps the history; `nil` for a ledger in memory.
    /// - Throws: ``HomeError`` `configuration` where there is no place for it.
    func storeForWriting() throws(HomeError) -> GRDBSampleStore? {
        guard let path = try ledger.path() else { return nil }
        return writer.withLock { store in
            let current = store ?? GRDBSampleStore(besideLedger: path, .readWrite)
            store = current
            return current
        }
    }

    /// The store for who reads: that of the writer where this process is the one.
    /// - Throws: ``HomeError`` `configuration` where there is no place for it.
    func store() throws(HomeError) -> GRDBSampleStore? {
        if let writer = writer.withLock({ $0 }) { return writer }
        guard let path = try ledger.path() else { return nil }
        return reader.withLock { store in
            let current = store ?? GRDBSampleStore(besideLedger: path, .readOnly)
            store = current
            return current
        }
    }
}
