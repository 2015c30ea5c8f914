import DeviceControl
import DeviceDomain
import Foundation
import GRDB
import Persistence
import TestSupport
import Testing

/// A process that dies, or whose disk fails, while it brings a file to the present schema.
@Suite struct MigrationCrashTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.execute(FormerLedger.dump)
    }

    /// A process that is killed leaves the database as it was and a part of the log behind it.
    @Test func aProcessThatDiesLeavesTheFormerOrThePresentFile() async throws {
        let former = try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath))
        let (database, _) = try folder.openLedger()
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath + "-wal"))
        try #require(log.count > 30_000)
        let lengths = Array(stride(from: 0, to: log.count, by: 3_001)) + [log.count - 1, log.count]
        for length in lengths {
            let rest = try TemporaryFolder()
            try write(former, log.prefix(length), into: rest)
            let isWhole = length == log.count
            #expect(try version(of: rest) == (isWhole ? 14 : 2), "\(length) bytes of the log")
            try write(former, log.prefix(length), into: rest)
            try await expectTheHistory(in: rest)
        }
        database.retire()
    }

    /// The kernel limits how large the child's files may become, so that its writes fail.
    @Test(arguments: [40, 100, 200, 400])
    func aFailingDiskLeavesTheFormerFile(_ kilobytes: Int) async throws {
        try folder.execute(FormerLedger.manyTransitions)
        let path = folder.ledgerPath
        await #expect(processExitsWith: .success) {
            [path = path as String, kilobytes = kilobytes as Int] in
            limitFiles(to: kilobytes << 10)
            let error = #expect(throws: LedgerError.self) { try LedgerDatabase.open(at: path) }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains("check the disk and its free space") == true)
        }
        #expect(try version(of: folder) == 2)
        try await expectTheHistory(in: folder, extraEvents: FormerLedger.extraTransitions)
    }

    private func write(_ file: Data, _ log: Data, into folder: TemporaryFolder) throws {
        let path = folder.ledgerPath
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: true)
        for name in [path + "-shm", path + "-wal"] where unlink(name) != 0 {
            try #require(errno == ENOENT)
        }
        try file.write(to: URL(fileURLWithPath: path))
        try log.write(to: URL(fileURLWithPath: path + "-wal"))
    }

    /// The version that a plain connection sees; the file is whole.
    private func version(of folder: TemporaryFolder) throws -> Int? {
        let other = try folder.otherProgram()
        let version = try other.read { db throws in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            return try Int.fetchOne(db, sql: "PRAGMA user_version")
        }
        try other.close()
        return version
    }

    private func expectTheHistory(in folder: TemporaryFolder, extraEvents: Int = 0) async throws {
        let (_, ledger) = try folder.openLedger()
        let history = try await ledger.history(HistoryQuery())
        #expect(history.count == 8)
        let oldest = try #require(history.last)
        #expect(try await ledger.events(of: oldest.id).count == 7 + extraEvents)
    }
}

extension FormerLedger {
    static let extraTransitions = 5_000

    /// Makes the file so large that its migration writes many pages.
    static let manyTransitions = """
        WITH RECURSIVE step (n) AS (
            SELECT 5 UNION ALL SELECT n + 1 FROM step WHERE n < \(4 + extraTransitions))
        INSERT INTO transition SELECT 1, n, 'running', 1764000000130 + n FROM step
        """
}
