import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// Transactions that wait for the connection at the same time.
@Suite(.timeLimit(.minutes(1))) struct LedgerSharedCommitTests {
    private let folder: TemporaryFolder
    private let other: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        other = try TemporaryFolder()
    }

    /// Every commit writes whole pages into the log.
    @Test func theyShareACommit() async throws {
        let intents = try (0..<200).map { _ in try CommandIntent.sample() }
        let (_, oneByOne) = try folder.openLedger()
        for intent in intents { _ = try await oneByOne.accept(intent) }
        let (_, atOnce) = try other.openLedger()
        try await acceptAtOnce(intents.map { [CommandDraft($0)] }, into: atOnce)
        let (long, short) = (try logSize(in: folder), try logSize(in: other))
        #expect(short * 2 < long)
        #expect(try await atOnce.history(HistoryQuery(limit: 300)).count == intents.count)
    }

    /// The first command of a batch is written before the second one fails.
    @Test func theFailureOfOneTakesBackThatOneAlone() async throws {
        let (_, ledger) = try folder.openLedger()
        let good = try (0..<50).map { _ in try CommandIntent.sample() }
        let bad = try (0..<50).map { _ in try CommandIntent.sample() }
        let mixed = zip(good, bad).flatMap { good, bad in
            [[CommandDraft(good)], [CommandDraft(bad), .inexpressible(bad)]]
        }
        #expect(try await acceptAtOnce(mixed, into: ledger) == bad.count)
        let history = try await ledger.history(HistoryQuery(limit: 300))
        #expect(Set(history.map(\.id)) == Set(good.map(\.id)))
        for intent in bad { #expect(try await ledger.events(of: intent.id).isEmpty) }
    }

    /// - Returns: how many batches failed.
    @discardableResult
    private func acceptAtOnce(
        _ batches: [[CommandDraft]], into ledger: GRDBCommandLedger
    ) async throws -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for batch in batches {
                group.addTask { (try? await ledger.accept(batch)) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    private func logSize(in folder: TemporaryFolder) throws -> Int {
        try folder.size(of: folder.ledgerPath + "-wal")
    }
}
