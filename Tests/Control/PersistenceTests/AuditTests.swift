import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import GRDB
import Persistence
import TestSupport
import Testing

/// The chain of hashes over the log, and what shows in it.
@Suite struct AuditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyEntryNamesTheHashOfTheOneBefore() async throws {
        let ledger = try await ledgerWithEntries()
        let entries = try await ledger.entries(after: 0, limit: .max)
        #expect(entries.map(\.number) == Array(1...6))
        var previous = String(repeating: "0", count: 64)
        for entry in entries {
            let members = try #require(try JSONReader.read(Array(entry.line.utf8)).object)
            #expect(members["n"]?.integer == entry.number)
            #expect(members["previous"]?.string == previous)
            #expect(members["hash"]?.string == entry.hash)
            let content = entry.line.dropLast(#","hash":"\#(entry.hash)"}"#.count)
            #expect(try await sha256(of: String(content)) == entry.hash)
            previous = entry.hash
        }
        #expect(try await ledger.entries(after: 2, limit: 3) == Array(entries[2..<5]))
        #expect(try await ledger.verify() == AuditReport(entries: 6, problems: []))
    }

    @Test func anEntryTellsWhatWasWantedWithoutSecrets() async throws {
        let (_, ledger) = try folder.openLedger()
        let intent = try CommandIntent.sample(arguments: ["ssid": "attic", "key": "hidden-word"])
        let draft = CommandDraft(intent, shownArguments: ["ssid": "attic", "key": "[redacted]"])
        _ = try await ledger.accept([draft])
        let entry = try #require(try await ledger.entries(after: 0, limit: 1).first)
        #expect(entry.line.contains(#""arguments":{"key":"[redacted]","ssid":"attic"}"#))
        #expect(entry.line.contains(#""device":"robot-1""#))
        #expect(!entry.line.contains("hidden-word"))
        // By the digest of its bytes a short secret could be found.
        #expect(!entry.line.contains("payload"))
    }

    @Test(arguments: [
        (
            "UPDATE event SET cause = 'other' WHERE number = 3", 3,
            "its content does not have the hash that was written with it"
        ),
        ("UPDATE event SET at = at + 1 WHERE number = 6", 6, "does not have the hash"),
        ("UPDATE event SET raw = x'00' WHERE number = 4", 4, "does not have the hash"),
        ("UPDATE event SET hash = zeroblob(32) WHERE number = 5", 5, "does not have the hash"),
        ("DELETE FROM event WHERE number = 2", 2, "it is missing"),
        ("DELETE FROM event WHERE number IN (2, 3)", 2, "it and all up to 3 are missing"),
        ("DELETE FROM event WHERE number = 6", 6, "it is missing"),
        ("DELETE FROM event", 1, "it and all up to 6 are missing"),
        (
            """
            INSERT INTO event (number, command, kind, at, cause, detail, hash)
            SELECT 7, command, kind, at, cause, detail, hash FROM event WHERE number = 6
            """, 7, "does not have the hash"
        ),
        (
            "UPDATE command SET payload = CAST('{}' AS BLOB) WHERE number = 1", 1,
            "the bytes of its command were changed afterwards"
        ),
        (
            "UPDATE command SET state = 'succeeded' WHERE number = 1", 1,
            "the state of its command was changed afterwards"
        ),
        ("DELETE FROM command WHERE number = 1", 1, "its command was removed afterwards"),
        ("UPDATE auditHead SET hash = zeroblob(32)", 6, "not the entry that was written last"),
    ])
    func whatWasChangedIsFound(_ change: String, _ number: Int, _ reason: String) async throws {
        let ledger = try await ledgerWithEntries()
        try folder.execute(
            "DROP TRIGGER eventIsNotChanged; DROP TRIGGER eventIsNotDeleted; \(change)")
        let problem = try #require(try await ledger.verify().problems.first)
        #expect(problem.number == number)
        #expect(problem.reason.contains(reason))
    }

    @Test(arguments: [
        ("device = 'robot-2'", "device"), ("name = 'return-to-dock'", "name"),
        ("arguments = CAST('{}' AS BLOB)", "arguments"), ("channel = 'other'", "channel"),
        ("home = 'home-2'", "home"), ("controller = 'other'", "controller"),
        ("cause = NULL", "cause"), ("ifRevision = NULL", "ifRevision"),
        ("expiresAt = expiresAt + 1", "expiresAt"), ("isDryRun = 1", "dryRun"),
        ("device = 'robot-2', name = 'return-to-dock'", "device, name"),
    ])
    func aCommandThatIsNotThatOfItsEntryIsFound(_ change: String, _ parts: String) async throws {
        let ledger = try await ledgerWithEntries()
        try folder.execute("UPDATE command SET \(change) WHERE number = 2")
        let reason = "its command was changed afterwards: \(parts)"
        #expect(
            try await ledger.verify().problems == [AuditReport.Problem(number: 4, reason: reason)])
    }

    @Test func aCommandWithoutAnEntryIsFound() async throws {
        let ledger = try await ledgerWithEntries()
        try insertCommand()
        let reason =
            "no entry says that the command \(Self.inserted) was accepted; "
            + "another program added it"
        #expect(
            try await ledger.verify().problems == [AuditReport.Problem(number: 7, reason: reason)])
    }

    /// As they were written before the log had hashes.
    @Test func anEntryThatTellsNothingOfItsCommandAccusesNobody() async throws {
        let ledger = try await ledgerWithEntries()
        try insertCommand()
        let id = try #require(CommandID(Self.inserted))
        try await ledger.append([
            LedgerEvent(.created, of: id, at: GRDBCommandLedger.start, state: .queued)
        ])
        #expect(try await ledger.verify() == AuditReport(entries: 7, problems: []))
    }

    @Test(arguments: [
        ("code = 'STUCK'", "code"), ("result = CAST('{\"previous\":\"low\"}' AS BLOB)", "result"),
    ])
    func anOutcomeThatIsNotThatOfTheFinalAckIsFound(_ change: String, _ part: String) async throws {
        let (_, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        let ack = try record.intent.evidence(.succeeded, n: 1)
        var ended = record.progress.next(.succeeded)
        ended.code = ack.code
        ended.result = ack.result
        let event = LedgerEvent(ack, at: record.intent.issuedAt, state: .succeeded)
        _ = try await ledger.advance(
            record.id, after: record.progress.step, to: ended, because: [event])
        #expect(try await ledger.verify().isIntact)
        try folder.execute("UPDATE command SET \(change)")
        let reason = "the outcome of its command was changed afterwards: \(part)"
        #expect(
            try await ledger.verify().problems == [AuditReport.Problem(number: 1, reason: reason)])
    }

    @Test func argumentsBesideASecretAreCompared() async throws {
        let (_, ledger) = try folder.openLedger()
        let intent = try CommandIntent.sample(arguments: ["ssid": "attic", "key": "hidden-word"])
        let draft = CommandDraft(intent, shownArguments: ["ssid": "attic", "key": "[redacted]"])
        _ = try await ledger.accept([draft])
        #expect(try await ledger.verify().isIntact)
        try folder.execute(
            #"""
            UPDATE command SET arguments = CAST('{"key":"hidden-word","ssid":"cellar"}' AS BLOB)
            """#)
        #expect(
            try await ledger.verify().problems.map(\.reason)
                == ["its command was changed afterwards: arguments"])
    }

    /// The process that follows a command was about to send it when another one took it back.
    @Test func aChangeThatCameTooLateAccusesNobody() async throws {
        let (_, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        _ = try await ledger.withdraw(record.id)
        try await ledger.advance(record, to: .sending)
        #expect(
            try await ledger.events(of: record.id).map(\.state) == [.queued, .cancelled, nil])
        #expect(try await ledger.verify().isIntact)
    }

    @Test func anEntryAfterAMissingOneDoesNotHideIt() async throws {
        let ledger = try await ledgerWithEntries()
        try folder.execute(
            "DROP TRIGGER eventIsNotDeleted; DELETE FROM event WHERE number = 6")
        _ = try await ledger.accept(.sample())
        #expect(
            try await ledger.verify().problems.first
                == AuditReport.Problem(number: 6, reason: "it is missing"))
    }

    @Test func aProgramThatKnowsNoHashesCannotAdd() async throws {
        _ = try await ledgerWithEntries()
        let error = #expect(throws: DatabaseError.self) {
            try folder.execute(
                """
                INSERT INTO event (command, kind, at, cause, state, detail)
                SELECT command, kind, at, cause, state, detail FROM event WHERE number = 1
                """)
        }
        #expect(error?.message?.contains("start this program again") == true)
    }

    @Test func theEventsOfAFormerLedgerAreLinked() async throws {
        try folder.execute(FormerLedger.dump)
        let (_, ledger) = try folder.openLedger()
        let before = try await ledger.verify()
        #expect(before.isIntact)
        #expect(before.entries > 10)
        _ = try await ledger.accept(.sample())
        #expect(
            try await ledger.verify() == AuditReport(entries: before.entries + 1, problems: []))
    }

    /// Three commands, and three events of the first one.
    private func ledgerWithEntries() async throws -> GRDBCommandLedger {
        let (_, ledger) = try folder.openLedger()
        let first = try await ledger.accept(.sample())
        try await ledger.append([
            LedgerEvent(.sent, of: first.id, at: first.intent.issuedAt),
            LedgerEvent(
                .evidence, of: first.id, at: first.intent.issuedAt, cause: "it says \"☃\"\n",
                detail: ["n": 1, "percent": 2.5], raw: [0, 0xFF]),
        ])
        // As they are: two at once, then one more of the first.
        _ = try await ledger.accept([CommandDraft(try .sample()), CommandDraft(try .sample())])
        try await ledger.append([
            LedgerEvent(.deadline, of: first.id, at: first.intent.issuedAt)
        ])
        return ledger
    }

    /// Adds a command to the table alone, as another program.
    private func insertCommand() throws {
        let id = Self.inserted.filter { $0 != "-" }
        try folder.execute(
            """
            CREATE TEMP TABLE copy AS SELECT * FROM command WHERE number = 3;
            UPDATE copy SET number = 4, id = x'\(id)', sequence = sequence + 100;
            INSERT INTO command SELECT * FROM copy;
            """)
    }

    private static let inserted = "019ab5e2-4000-7000-8000-000000000099"

    /// By a program that shares no code with ours.
    private func sha256(of text: String) async throws -> String {
        let file = try folder.file("content", text)
        return String(try await ChildProcess.runToEnd("sha256sum", [file]).output.prefix(64))
    }
}
