internal import Basics
internal import History
internal import Persistence

/// Where what happens in a home is kept: in a file beside its ledger, which is opened by who writes or reads it and by
/// nobody else, or in the database of the ledger.
final class HistoryStores: Sendable {
    private let ledger: LedgerLocation
    private let lifetime: HomeLifetime
    private let writer = Guarded<GRDBSampleStore?>(nil)
    private let reader = Guarded<GRDBSampleStore?>(nil)

    init(of ledger: LedgerLocation, in lifetime: HomeLifetime) {
        self.ledger = ledger
        self.lifetime = lifetime
    }

    /// How often it is written.
    var pace: RecordingPace { ledger.isShared ? .server : .file }

    /// - Throws: ``HomeError`` `configuration` where the history is beside a ledger in a file, which knows no age.
    func requireDatabase() throws(HomeError) {
        guard !ledger.isShared else { return }
        throw HomeError(
            .configuration,
            "--keep-telemetry is for a ledger in PostgreSQL: beside one in a file each sample is kept for a day, and "
                + "means for a year; leave it out")
    }

    /// The store for who keeps the history; `nil` for a ledger in memory.
    /// - Parameter age: how long it is kept in a database; `nil` for a file, which has bounds of its own.
    /// - Throws: ``HomeError`` `configuration` where there is no place for it, and for an age where there should be none
    ///   or none where there should be one; as ``HomeLifetime/storage()``.
    func storeForWriting(keptFor age: Duration? = nil) async throws(HomeError) -> (any SampleStore)?
    {
        if ledger.isShared {
            guard let age else {
                throw HomeError(
                    .configuration,
                    "samples, presence and events are not kept: in PostgreSQL only where --keep-telemetry says for "
                        + "how long, such as 7d")
            }
            return try await lifetime.storage().database.samples(keptFor: age)
        }
        if age != nil { try requireDatabase() }
        guard let path = try ledger.path() else { return nil }
        return writer.withLock { store in
            let current = store ?? GRDBSampleStore(besideLedger: path, .readWrite)
            store = current
            return current
        }
    }

    /// The store for who reads: that of the writer where this process is the one.
    /// - Throws: ``HomeError`` `configuration` where there is no place for it; as ``HomeLifetime/storage()``.
    func store() async throws(HomeError) -> (any SampleStore)? {
        if ledger.isShared { return try await lifetime.storage().database.samples(keptFor: nil) }
        if let writer = writer.withLock({ $0 }) { return writer }
        guard let path = try ledger.path() else { return nil }
        return reader.withLock { store in
            let current = store ?? GRDBSampleStore(besideLedger: path, .readOnly)
            store = current
            return current
        }
    }
}
