import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// Words that a later version added without a new schema.
@Suite struct LedgerVocabularyTests {
    @Test(
        arguments: LedgerKind.allCases,
        [
            ("state", "paused"), ("sort", "stream"), ("lane", "express"), ("offline", "mirror"),
        ])
    func aCommandWithAnUnknownWordHindersNoOther(_ kind: LedgerKind, _ sample: (String, String))
        async throws
    {
        let (column, word) = sample
        try await kind.withHouse { house in
            let ids = try await commandsOfAnEndedProcess(in: house)
            try await house.execute("UPDATE command SET \(column) = '\(word)' WHERE number = 2")
            let ledger = try await house.open().ledger

            let error = await #expect(throws: LedgerError.self) {
                try await ledger.record(of: ids[1])
            }
            #expect(error?.code == .newerSchema)
            #expect(error?.message.contains("\"\(word)\"") == true)
            #expect(error?.message.contains("use the newer program") == true)
            #expect(try await ledger.record(of: ids[2]) != nil)
            let two = try await ledger.history(HistoryQuery(limit: 2))
            #expect(two.map(\.id) == [ids[2], ids[0]])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aCommandWithAnUnknownStateIsLeftToANewerProgram(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ids = try await commandsOfAnEndedProcess(in: house)
            try await house.execute("UPDATE command SET state = 'paused' WHERE number = 2")
            let process = try await house.open()
            let ledger = process.ledger
            let adopted = try await ledger.adoptOrphans(
                of: ControllerID("ctl"), in: HomeID("home-1"))
            #expect(adopted == [ids[0], ids[2]])
            try await process.end()

            try await house.execute("UPDATE command SET state = 'sent' WHERE number = 2")
            let newer = try await house.open().ledger
            let rest = try await newer.adoptOrphans(of: ControllerID("ctl"), in: HomeID("home-1"))
            #expect(rest == ids)
        }
    }

    @Test func anUnknownStateOfAnEventIsToldInItsDetail() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            let ledger = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            try await house.execute(
                """
                INSERT INTO event (command, kind, at, cause, state, detail, hash)
                SELECT id, 'rested', 5, 'it rests', 'paused', CAST('{"a":1}' AS BLOB), x'00' FROM command
                """)
            let last = try #require(try await ledger.events(of: record.id).last)
            #expect(last.kind.rawValue == "rested")
            #expect(last.state == nil)
            #expect(last.detail == ["a": 1, "state": "paused"])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func damageIsNoUnknownWord(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ids = try await commandsOfAnEndedProcess(in: house)
            try await house.execute("UPDATE command SET result = '00'::hex WHERE number = 2")
            let ledger = try await house.open().ledger
            for body in [
                { _ = try await ledger.history(HistoryQuery()) },
                { _ = try await ledger.record(of: ids[1]) },
            ] {
                let error = await #expect(throws: LedgerError.self) { try await body() }
                #expect(error?.code == .corrupt)
            }
        }
    }

    private func commandsOfAnEndedProcess(in house: LedgerHouse) async throws -> [CommandID] {
        let process = try await house.open()
        let drafts = try (0..<3).map { _ in CommandDraft(try .sample()) }
        let ids = try await process.ledger.accept(drafts).map(\.id)
        try await process.end()
        return ids
    }
}
