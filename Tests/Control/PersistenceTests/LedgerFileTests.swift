import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Foundation
import GRDB
import Persistence
import TestSupport
import Testing

@Suite struct LedgerFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theFileAndItsFolderAreForTheUserAlone() async throws {
        let (_, ledger) = try folder.openLedger()
        _ = try await ledger.accept(.sample())
        #expect(try folder.permissions(of: folder.path + "/state") == 0o700)
        #expect(try folder.permissions(of: folder.ledgerPath) == 0o600)
        #expect(try folder.permissions(of: folder.ledgerPath + "-wal") == 0o600)
        #expect(try folder.permissions(of: folder.ledgerPath + "-processes") == 0o700)
    }

    @Test func aLedgerThatOtherUsersCanOpenIsClosedToThem() async throws {
        // Open until the end: the last one to close removes the log.
        let (first, _) = try folder.openLedger()
        defer { first.close() }
        let files = ["", "-wal", "-shm"].map { folder.ledgerPath + $0 }
        for file in files { try #require(chmod(file, 0o644) == 0, "\(file)") }
        let (_, ledger) = try folder.openLedger()
        #expect(try await ledger.history(HistoryQuery()).isEmpty)
        for file in files { #expect(try folder.permissions(of: file) == 0o600, "\(file)") }
    }

    @Test func aLedgerThatIsNamedByALinkHasItsOtherFilesBesideTheRealOne() async throws {
        let (first, _) = try folder.openLedger()
        defer { first.close() }
        let link = folder.path + "/link.sqlite"
        try #require(symlink(folder.ledgerPath, link) == 0)
        let ledger = GRDBCommandLedger.onManualTime(try LedgerDatabase.open(at: link))
        _ = try await ledger.accept(.sample())
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix("link.sqlite-") }, "\(names)")
    }

    @Test func whatWasWrittenIsThereAfterReopening() async throws {
        let intent = try CommandIntent.sample()
        try await withFirstProcess { ledger in
            _ = try await ledger.accept(intent)
        }
        let (_, ledger) = try folder.openLedger()
        #expect(try await ledger.record(of: intent.id)?.intent == intent)
    }

    @Test func aCommittedChangeSurvivesAProcessThatNeverCloses() async throws {
        let intent = try CommandIntent.sample()
        let (first, ledger) = try folder.openLedger()
        try await ledger.advance(ledger.accept(intent), to: .sending)
        let copy = folder.path + "/copy.sqlite"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.ledgerPath + suffix, toPath: copy + suffix)
        }
        let restored = GRDBCommandLedger.onManualTime(try LedgerDatabase.open(at: copy))
        #expect(try await restored.record(of: intent.id)?.state == .sending)
        #expect(try await restored.events(of: intent.id).map(\.state) == [.queued, .sending])
        first.retire()
    }

    /// To copy it takes two syncs, for which the commands of a process that goes on do not wait up to 16 MiB.
    @Test func whileAProcessWorksOnlyAVeryLongLogIsEmptied() async throws {
        let (_, ledger) = try folder.openLedger()
        let log = folder.ledgerPath + "-wal"
        let record = try await ledger.accept(.sample())
        let text = String(repeating: "filler ", count: 1_000)
        let event = LedgerEvent(.reach, of: record.id, at: GRDBCommandLedger.start, cause: text)
        while try folder.size(of: log) < 15 << 20 {
            try await ledger.append(Array(repeating: event, count: 50))
        }
        let sending = try await ledger.advance(record, to: .sending)
        #expect(try folder.size(of: log) > 15 << 20)
        while try folder.size(of: log) < 16 << 20 {
            try await ledger.append(Array(repeating: event, count: 50))
        }
        try await ledger.advance(sending, to: .sent)
        #expect(try folder.size(of: log) == 0)
    }

    @Test func aProcessThatEndsLeavesAShortLog() async throws {
        let (database, ledger) = try folder.openLedger()
        let log = folder.ledgerPath + "-wal"
        var commands = 0
        while try folder.size(of: log) < 300 << 10 {
            try await ledger.runSample()
            commands += 1
        }
        database.retire()
        #expect(try folder.size(of: log) == 0)
        let (_, later) = try folder.openLedger()
        #expect(try await later.history(HistoryQuery(limit: 200)).count == commands)
    }

    @Test func theLogStaysShortOverManyProcessesOfOneCommandEach() async throws {
        let path = folder.ledgerPath
        for _ in 0..<40 {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let database = try LedgerDatabase.open(at: path)
                try await GRDBCommandLedger.onManualTime(database).runSample()
                database.retire()
            }
            #expect(try folder.size(of: path + "-wal") < 300 << 10)
        }
        let (_, ledger) = try folder.openLedger()
        #expect(try await ledger.history(HistoryQuery(limit: 200)).count == 40)
    }

    @Test func aLogThatAnotherProcessReadsIsEmptiedLater() async throws {
        let (database, ledger) = try folder.openLedger()
        let log = folder.ledgerPath + "-wal"
        let reader = try folder.otherProgram()
        try await reader.writeWithoutTransaction { db in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM command")
        }
        while try folder.size(of: log) < 300 << 10 { try await ledger.runSample() }
        database.retire()
        #expect(try folder.size(of: log) > 0)
        try await reader.writeWithoutTransaction { try $0.rollback() }
        try folder.openLedger().0.retire()
        #expect(try folder.size(of: log) == 0)
    }

    /// What it took would be gone with the process.
    @Test(arguments: [true, false])
    func aLedgerThatIsNoLongerAtItsPathAcceptsNothing(isReplaced: Bool) async throws {
        let (database, ledger) = try folder.openLedger()
        defer { database.close() }
        let known = try await ledger.accept(.sample())
        let moved = folder.path + "/moved.sqlite"
        try FileManager.default.moveItem(atPath: folder.ledgerPath, toPath: moved)
        if isReplaced { try write(Data()) }
        let error = await #expect(throws: LedgerError.self) { try await ledger.accept(.sample()) }
        #expect(error?.code == .unwritable)
        #expect(
            error?.message == "the ledger at \(folder.ledgerPath) was moved or removed while "
                + "homeport has it open; end homeport and start it again")
        #expect(try await ledger.history(HistoryQuery()).map(\.id) == [known.id])
    }

    @Test func aLedgerThatIsBackAtItsPathAcceptsCommands() async throws {
        let (database, ledger) = try folder.openLedger()
        defer { database.close() }
        let moved = folder.path + "/moved.sqlite"
        try FileManager.default.moveItem(atPath: folder.ledgerPath, toPath: moved)
        await #expect(throws: LedgerError.self) { try await ledger.accept(.sample()) }
        try FileManager.default.moveItem(atPath: moved, toPath: folder.ledgerPath)
        let record = try await ledger.accept(.sample())
        #expect(try await ledger.history(HistoryQuery()).map(\.id) == [record.id])
    }

    @Test func aFileThatIsNoDatabaseIsRefusedAndKept() throws {
        let text = Data(repeating: UInt8(ascii: "x"), count: 8_192)
        try write(text)
        expectError(.foreign, mentions: "is not a ledger")
        expectError(.foreign, mentions: "together with \(folder.ledgerPath)-wal")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath)) == text)
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedAndKept() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: true)
        let other = try DatabaseQueue(path: folder.ledgerPath)
        try other.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
        expectError(.foreign, mentions: "another program")
        let tables = try other.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
        }
        #expect(tables == ["note"])
    }

    @Test(arguments: [true, false])
    func whatIsNoLedgerKeepsItsMode(isText: Bool) throws {
        if isText {
            try write(Data("notes".utf8))
        } else {
            try folder.execute("CREATE TABLE note (text)")
        }
        try #require(chmod(folder.ledgerPath, 0o664) == 0)
        let link = folder.path + "/link.sqlite"
        try #require(symlink(folder.ledgerPath, link) == 0)
        for path in [folder.ledgerPath, link] {
            let error = #expect(throws: LedgerError.self) { try LedgerDatabase.open(at: path) }
            #expect(error?.code == .foreign)
            #expect(try folder.permissions(of: folder.ledgerPath) == 0o664)
        }
    }

    @Test func aNewerSchemaIsRefusedUntouched() throws {
        do {
            let (database, _) = try folder.openLedger()
            _ = database
            let queue = try folder.otherProgram()
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath))
        expectError(.newerSchema, mentions: "use the newer program")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath)) == before)
    }

    @Test func aDamagedPageIsAClearError() async throws {
        try await withFirstProcess { ledger in
            for _ in 0..<50 {
                _ = try await ledger.accept(.sample())
            }
        }
        let queue = try folder.otherProgram()
        _ = try await queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.ledgerPath))
        try #require(bytes.count > 12 * 1_024)
        for index in 1_024..<bytes.count { bytes[index] = 0 }
        try write(bytes)
        let error = await #expect(throws: LedgerError.self) {
            let (_, ledger) = try folder.openLedger()
            return try await ledger.history(HistoryQuery())
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("is damaged") == true)
        // What is newest is in the log, and SQLite removes a log whose database is gone.
        #expect(error?.message.contains("ledger.sqlite-wal") == true)
    }

    @Test func aFolderInTheWayIsAClearError() throws {
        try FileManager.default.createDirectory(
            atPath: folder.ledgerPath, withIntermediateDirectories: true)
        expectError(.unwritable, mentions: "is a folder; choose a file")
    }

    @Test func aPipeInTheWayIsAClearError() throws {
        _ = try folder.folder("state")
        try #require(mkfifo(folder.ledgerPath, 0o600) == 0)
        expectError(.unwritable, mentions: "is not a regular file; choose a file")
    }

    @Test func aPathThroughAFileIsAClearError() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/state"))
        expectError(.unwritable, mentions: "choose another file")
    }

    @Test func aDeviceInTheWayIsAnError() async throws {
        let error = #expect(throws: LedgerError.self) { try LedgerDatabase.open(at: "/dev/full") }
        #expect(error != nil)
    }

    @Test func whenTheDiskFailsNothingIsAccepted() async throws {
        let known = try CommandIntent.sample()
        try await withFirstProcess { _ = try await $0.accept(known) }
        let path = folder.ledgerPath
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try LedgerDatabase.open(at: path)
            let ledger = GRDBCommandLedger.onManualTime(database)
            limitFiles(to: 64 << 10)
            let drafts = try (0..<200).map { _ in CommandDraft(try .sample()) }
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(drafts) }
            #expect(error?.code == .unwritable)
            #expect(try await ledger.history(HistoryQuery()).count == 1)
        }
        let (_, ledger) = try folder.openLedger()
        #expect(try await ledger.history(HistoryQuery()).map(\.id) == [known.id])
    }

    private func withFirstProcess(_ body: (GRDBCommandLedger) async throws -> Void) async throws {
        let (_, ledger) = try folder.openLedger()
        try await body(ledger)
    }

    private func write(_ data: Data) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: folder.ledgerPath))
    }

    private func expectError(
        _ code: LedgerError.Code, mentions text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) {
            try LedgerDatabase.open(at: folder.ledgerPath)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.message.contains(text) == true, sourceLocation: sourceLocation)
    }
}
