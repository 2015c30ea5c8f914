internal import Connectivity

/// Learns which commands were withdrawn or put away, by this process or another one, from the ledger's log.
final class WithdrawalFollower {
    /// How often the log is looked at while commands wait.
    static let interval = Duration.seconds(3)

    private let writer: LedgerWriter
    /// Where the log ended when it was last looked at.
    private var endOfLog: LedgerPlace?
    private var isFollowing = false

    init(_ writer: LedgerWriter) { self.writer = writer }

    /// Learns where the log ends, before the first command is taken in.
    func findEndOfLog() async {
        if endOfLog == nil { _ = await news() }
    }

    /// What was withdrawn since the last call.
    func news() async -> [CommandRecord] {
        do {
            let news = try await writer.ledger.withdrawals(after: endOfLog)
            endOfLog = max(endOfLog ?? news.end, news.end)
            return news.records
        } catch {
            writer.countFailure()
            return []
        }
    }

    /// Something waits.
    /// - Returns: whether the owner must begin to look into the log, until ``end()``.
    func begin() -> Bool {
        defer { isFollowing = true }
        return !isFollowing
    }

    /// Nothing waits any more.
    func end() { isFollowing = false }
}
