internal import GRDB

/// A transaction that waits for the connection, and may share a commit with others.
struct WaitingWrite: Sendable {
    /// Tells the caller how the transaction ended.
    typealias End = () -> Void

    /// What it must survive.
    let durability: LedgerDatabase.Durability
    /// Tells the caller that nothing was written.
    let fail: @Sendable (any Error) -> Void
    private let body: @Sendable (Database) throws -> End

    /// - Parameter completion: called once, with the value of `body` when it is committed.
    init<Value>(
        _ durability: LedgerDatabase.Durability,
        _ body: @escaping @Sendable (Database) throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.durability = durability
        fail = { completion(.failure($0)) }
        self.body = { db in
            let value = try body(db)
            return { completion(.success(value)) }
        }
    }

    /// Runs it within a transaction. Where it fails, what it wrote is taken back, and nothing else.
    /// - Returns: what to call once the transaction is committed.
    /// - Throws: where SQLite has ended the whole transaction, as on a full disk.
    func run(in db: Database) throws -> End {
        do {
            var end: End = {}
            try db.inSavepoint {
                end = try body(db)
                return .commit
            }
            return end
        } catch {
            guard db.isInsideTransaction else { throw error }
            return { fail(error) }
        }
    }
}
