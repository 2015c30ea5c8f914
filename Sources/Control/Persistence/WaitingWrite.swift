/// A transaction that waits for the connection, and may share a commit with others.
struct WaitingWrite: Sendable {
    /// Tells the caller how the transaction ended.
    typealias End = () -> Void

    /// What it must survive.
    let durability: LedgerDatabase.Durability
    /// Does the work, which may be taken back and done again. Its end tells the caller of the commit.
    let run: @Sendable (LedgerTransaction) throws -> End
    /// Tells the caller that nothing was written.
    let fail: @Sendable (any Error) -> Void

    /// - Parameter completion: called once, with the value of `body` when it is committed.
    init<Value>(
        _ durability: LedgerDatabase.Durability,
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.durability = durability
        run = { transaction in
            let value = try body(transaction)
            return { completion(.success(value)) }
        }
        fail = { completion(.failure($0)) }
    }
}
