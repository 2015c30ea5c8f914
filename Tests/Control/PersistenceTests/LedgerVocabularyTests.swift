import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// Words that a later version added without a new schema.
@Suite struct LedgerVocabularyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("state", "paused"), ("sort", "stream"), ("lane", "express"), ("offline", "mirror"),
    ])
    func aCommandWithAnUnknownWordHindersNoOther(_ column: String, _ word: String) async throws {
        let ids = try await commandsOfAnEndedProcess()
        try folder.execute("UPDATE command SET \(column) = '\(word)' WHERE number = 2")
        let (database, ledger) = try folder.openLedger()
        defer { database.retire() }

        let error = await #expect(throws: LedgerError.self) { try await ledger.record(of: ids[1]) }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("\"\(word)\"") == true)
        #expect(error?.message.contains("use the newer program") == true)
        #expect(try await ledger.record(of: ids[2]) != nil)
        let two = try await ledger.history(HistoryQuery(limit: 2))
        #expect(two.map(\.id) == [ids[2], ids[0]])
    }

    @Test func aCommandWithAnUnknownStateIsLeftToANewerProgram() async throws {
        let ids = try await commandsOfAnEndedProcess()
        try folder.execute("UPDATE command SET state = 'paused' WHERE number = 2")
        let (database, ledger) = try folder.openLedger()
        let adopted = try await ledger.adoptOrphans(
            of: ControllerID("ctl"), in: HomeID("home-1"))
        #expect(adopted == [ids[0], ids[2]])
        database.retire()

        try folder.execute("UPDATE command SET state = 'sent' WHERE number = 2")
        let (_, newer) = try folder.openLedger()
        let rest = try await newer.adoptOrphans(of: ControllerID("ctl"), in: HomeID("home-1"))
        #expect(rest == ids)
    }

    @Test func anUnknownStateOfAnEventIsToldInItsDetail() async throws {
        let (_, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        try folder.execute(
            """
            INSERT INTO event (command, kind, at, cause, state, detail, hash)
            SELECT id, 'rested', 5, 'it rests', 'paused', CAST('{"a":1}' AS BLOB), x'00' FROM command
            """)
        let last = try #require(try await ledger.events(of: record.id).last)
        #expect(last.kind.rawValue == "rested")
        #expect(last.state == nil)
        #expect(last.detail == ["a": 1, "state": "paused"])
    }

    @Test func damageIsNoUnknownWord() async throws {
        let ids = try await commandsOfAnEndedProcess()
        try folder.execute("UPDATE command SET result = x'00' WHERE number = 2")
        let (_, ledger) = try folder.openLedger()
        for body in [
            { _ = try await ledger.history(HistoryQuery()) },
            { _ = try await ledger.record(of: ids[1]) },
        ] {
            let error = await #expect(throws: LedgerError.self) { try await body() }
            #expect(error?.code == .corrupt)
        }
    }

    private func commandsOfAnEndedProcess() async throws -> [CommandID] {
        let (database, ledger) = try folder.openLedger()
        defer { database.retire() }
        let drafts = try (0..<3).map { _ in CommandDraft(try .sample()) }
        return try await ledger.accept(drafts).map(\.id)
    }
}
