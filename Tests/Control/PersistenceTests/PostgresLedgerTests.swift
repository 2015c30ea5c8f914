import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// What is told of a ledger in PostgreSQL alone.
@Suite(.timeLimit(.minutes(1))) struct PostgresLedgerTests {
    // MARK: Repeated calls

    @Test func acceptingAgainGivesTheSameRecords() async throws {
        try await LedgerKind.postgresql.withLedger { ledger in
            let drafts = [CommandDraft(try .sample()), CommandDraft(try .sample())]
            let records = try await ledger.accept(drafts)
            #expect(try await ledger.accept(drafts) == records)
            _ = try await ledger.withdraw(records[0].id)
            #expect(try await ledger.accept(drafts).map(\.state) == [.cancelled, .queued])
            #expect(try await ledger.events(of: records[1].id).count == 1)
            #expect(try await ledger.verify() == AuditReport(entries: 3, problems: []))
        }
    }

    @Test func anotherCommandOfAKnownIDIsAConflict() async throws {
        try await LedgerKind.postgresql.withLedger { ledger in
            let intent = try CommandIntent.sample()
            _ = try await ledger.accept(intent)
            let other = CommandIntent(
                id: intent.id, controller: intent.controller, home: intent.home,
                device: intent.device, name: intent.name, arguments: ["rooms": [9]],
                sort: intent.sort, offline: intent.offline, issuedAt: intent.issuedAt,
                expiresAt: intent.expiresAt, ifRevision: 7, cause: "undo:x", isDryRun: false)
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(other) }
            #expect(error?.code == .conflict)
            #expect(try await ledger.record(of: intent.id)?.intent == intent)
        }
    }

    @Test func aChangeThatWasMadeIsMadeOnce() async throws {
        try await LedgerKind.postgresql.withLedger { ledger in
            let record = try await ledger.accept(.sample())
            let change = CommandChange(
                of: record.id, after: record.progress.step, to: record.progress.next(.sending),
                because: [LedgerEvent(.sent, of: record.id, at: record.intent.issuedAt)])
            #expect(try await ledger.advance([change]) == [.advanced])
            #expect(try await ledger.advance([change]) == [.advanced])
            #expect(try await ledger.events(of: record.id).map(\.kind) == [.created, .sent])
        }
    }

    /// As a device may send it.
    @Test func everyTextComesBack() async throws {
        try await LedgerKind.postgresql.withLedger { ledger in
            let record = try await ledger.accept(.sample())
            var progress = record.progress.next(.failed)
            progress.message = "a\u{0}b \\ ' ☃"
            progress.code = AckCode(rawValue: "odd\u{0}")
            let event = LedgerEvent(
                .evidence, of: record.id, at: record.intent.issuedAt, cause: "\u{0}", state: .failed
            )
            _ = try await ledger.advance(
                record.id, after: record.progress.step, to: progress, because: [event])
            #expect(try await ledger.record(of: record.id)?.progress == progress)
            #expect(try await ledger.events(of: record.id).last == event)
            #expect(try await ledger.verify().isIntact)
        }
    }

    // MARK: Sharing commits

    @Test func whatWaitsTogetherSharesACommit() async throws {
        try await withPostgreSQL { database in
            let ledger = try await LedgerHouse(.postgresql(database)).open().ledger
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 { group.addTask { _ = try await ledger.accept(.sample()) } }
                try await group.waitForAll()
            }
            let count = try await database.execute(
                "SELECT count(DISTINCT xmin::text), count(DISTINCT sequence) FROM command")
            let numbers = count.split(whereSeparator: \.isWhitespace).first?
                .split(separator: "|").compactMap { Int($0) }
            #expect(numbers?.last == 200)
            #expect(try #require(numbers?.first) < 100)
            #expect(try await ledger.verify() == AuditReport(entries: 200, problems: []))
        }
    }

    @Test func theFailureOfOneTakesBackThatOneAlone() async throws {
        try await LedgerKind.postgresql.withLedger { ledger in
            let good = try (0..<20).map { _ in try CommandIntent.sample() }
            let bad = try (0..<20).map { _ in try CommandIntent.sample() }
            let failures = await withTaskGroup(of: Bool.self) { group in
                for (good, bad) in zip(good, bad) {
                    group.addTask { (try? await ledger.accept([CommandDraft(good)])) == nil }
                    group.addTask {
                        (try? await ledger.accept([CommandDraft(bad), .inexpressible(bad)])) == nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == bad.count)
            let history = try await ledger.history(HistoryQuery(limit: 300))
            #expect(Set(history.map(\.id)) == Set(good.map(\.id)))
            #expect(try await ledger.verify() == AuditReport(entries: 20, problems: []))
        }
    }

    // MARK: Anchors

    @Test(arguments: [
        ("DELETE FROM home WHERE home = 'home-2'", "is missing, which anchor"),
        ("DELETE FROM anchor WHERE number = 2", "anchors are missing before anchor 3"),
        (
            "DELETE FROM anchor WHERE number = (SELECT max(number) FROM anchor)",
            "anchors are missing behind"
        ),
        ("UPDATE anchor SET epoch = 7 WHERE number = 2", "anchor 2 was changed"),
        ("INSERT INTO home (controller, home) VALUES ('ctl', 'other')", "has no anchor"),
        (
            """
            DELETE FROM event; DELETE FROM command;
            UPDATE home SET lastNumber = 0, lastHash = decode(repeat('00', 32), 'hex')
            """, "it is not the entry that anchor"
        ),
    ])
    func whatIsWrongWithAHomeIsFound(_ change: String, _ reason: String) async throws {
        try await LedgerKind.postgresql.withHouse { house in
            let first = try await house.open()
            _ = try await first.ledger.accept(.sample())
            try await first.end()
            let ledger = try await house.open().ledger
            #expect(try await ledger.verify() == AuditReport(entries: 1, problems: []))
            try await house.execute(change)
            let problems = try await ledger.verify().problems
            #expect(problems.contains { $0.reason.contains(reason) }, "\(problems)")
        }
    }
}
