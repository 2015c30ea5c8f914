import Basics
import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import GRDB
import Persistence
import TestSupport
import Testing

/// No hash, as bytes of a statement.
private let noHash = "'\(String(repeating: "00", count: 32))'::hex"

/// The chain of hashes over the log, and what shows in it.
@Suite struct AuditTests {
    @Test(arguments: LedgerKind.allCases)
    func everyEntryNamesTheHashOfTheOneBefore(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            let entries = try await ledger.entries(after: 0, limit: .max)
            #expect(entries.map(\.number) == Array(1...6))
            var previous = String(repeating: "0", count: 64)
            for entry in entries {
                let members = try #require(try JSONReader.read(Array(entry.line.utf8)).object)
                #expect(members["n"]?.integer == entry.number)
                #expect(members["previous"]?.string == previous)
                #expect(members["hash"]?.string == entry.hash)
                #expect(try await sha256(of: entry.content) == entry.hash)
                previous = entry.hash
            }
            #expect(try await ledger.entries(after: 2, limit: 3) == Array(entries[2..<5]))
            #expect(try await ledger.verify() == AuditReport(entries: 6, problems: []))
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func whatATerminalObeysIsEscapedBeforeItIsHashed(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let (ledger, entry) = try await ledgerWithControlCharacters(in: house)
            #expect(entry.line.contains(#""cause":"\u009b""#))
            #expect(entry.line.contains(#""detail":{"\u202e":1}"#))
            #expect(try await sha256(of: entry.content) == entry.hash)
            #expect(try await ledger.verify().isIntact)
        }
    }

    /// An earlier version hashed them as they are.
    @Test func anEntryThatWasHashedUnescapedStaysAsItWas() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            let (ledger, entry) = try await ledgerWithControlCharacters(in: house)
            let former = entry.content.replacing(#"\u009b"#, with: "\u{9B}")
                .replacing(#"\u202e"#, with: "\u{202E}")
            let hash = try await sha256(of: former)
            try await house.changeLog(
                """
                UPDATE event SET hash = '\(hash)'::hex WHERE number = 2;
                UPDATE auditHead SET hash = '\(hash)'::hex
                """)
            #expect(try await ledger.verify().isIntact)
            #expect(try await ledger.entries(after: 1, limit: 1).first?.content == former)
            _ = try await ledger.accept(.sample())
            #expect(try await ledger.verify() == AuditReport(entries: 3, problems: []))
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anEntryTellsWhatWasWantedWithoutSecrets(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let intent = try CommandIntent.sample(arguments: [
                "ssid": "attic", "key": "hidden-word",
            ])
            let draft = CommandDraft(
                intent, shownArguments: ["ssid": "attic", "key": "[redacted]"])
            _ = try await ledger.accept([draft])
            let entry = try #require(try await ledger.entries(after: 0, limit: 1).first)
            #expect(entry.line.contains(#""arguments":{"key":"[redacted]","ssid":"attic"}"#))
            #expect(entry.line.contains(#""device":"robot-1""#))
            #expect(!entry.line.contains("hidden-word"))
            // By the digest of its bytes a short secret could be found.
            #expect(!entry.line.contains("payload"))
        }
    }

    @Test(
        arguments: LedgerKind.allCases,
        [
            (
                "UPDATE event SET cause = 'other' WHERE number = 3", 3,
                "its content does not have the hash that was written with it"
            ),
            ("UPDATE event SET at = at + 1 WHERE number = 6", 6, "does not have the hash"),
            ("UPDATE event SET raw = '00'::hex WHERE number = 4", 4, "does not have the hash"),
            ("UPDATE event SET hash = \(noHash) WHERE number = 5", 5, "does not have the hash"),
            ("DELETE FROM event WHERE number = 2", 2, "it is missing"),
            ("DELETE FROM event WHERE number IN (2, 3)", 2, "it and all up to 3 are missing"),
            ("DELETE FROM event WHERE number = 6", 6, "it is missing"),
            ("DELETE FROM event", 1, "it and all up to 6 are missing"),
            (
                "UPDATE command SET payload = '7b7d'::hex WHERE number = 1", 1,
                "the bytes of its command were changed afterwards"
            ),
            (
                "UPDATE command SET state = 'succeeded' WHERE number = 1", 1,
                "the state of its command was changed afterwards"
            ),
            ("DELETE FROM command WHERE number = 1", 1, "its command was removed afterwards"),
        ])
    func whatWasChangedIsFound(_ kind: LedgerKind, _ sample: (String, Int, String)) async throws {
        let (change, number, reason) = sample
        try await kind.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            try await house.changeLog(change)
            let problem = try #require(try await ledger.verify().problems.first)
            #expect(problem.number == number)
            #expect(problem.reason.contains(reason))
        }
    }

    @Test(
        arguments: LedgerKind.allCases,
        [
            ("device = 'robot-2'", "device"), ("name = 'return-to-dock'", "name"),
            ("arguments = '7b7d'::hex", "arguments"), ("channel = 'other'", "channel"),
            ("home = 'home-2'", "home"), ("controller = 'other'", "controller"),
            ("cause = NULL", "cause"), ("ifRevision = NULL", "ifRevision"),
            ("expiresAt = expiresAt + 1", "expiresAt"), ("isDryRun = NOT isDryRun", "dryRun"),
            ("device = 'robot-2', name = 'return-to-dock'", "device, name"),
        ])
    func aCommandThatIsNotThatOfItsEntryIsFound(_ kind: LedgerKind, _ sample: (String, String))
        async throws
    {
        let (change, parts) = sample
        try await kind.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            try await house.execute("UPDATE command SET \(change) WHERE number = 2")
            let reason = "its command was changed afterwards: \(parts)"
            #expect(
                try await ledger.verify().problems == [
                    AuditReport.Problem(number: 4, reason: reason)
                ])
        }
    }

    @Test func aCommandWithoutAnEntryIsFound() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            try await insertCommand(in: house)
            let reason =
                "no entry says that the command \(Self.inserted) was accepted; "
                + "another program added it"
            #expect(
                try await ledger.verify().problems == [
                    AuditReport.Problem(number: 7, reason: reason)
                ])
        }
    }

    /// As they were written before the log had hashes.
    @Test func anEntryThatTellsNothingOfItsCommandAccusesNobody() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            try await insertCommand(in: house)
            let id = try #require(CommandID(Self.inserted))
            try await ledger.append([
                LedgerEvent(.created, of: id, at: GRDBCommandLedger.start, state: .queued)
            ])
            #expect(try await ledger.verify() == AuditReport(entries: 7, problems: []))
        }
    }

    @Test(
        arguments: LedgerKind.allCases,
        [
            ("code = 'STUCK'", "code"),
            ("result = '7b2270726576696f7573223a226c6f77227d'::hex", "result"),
            ("message = 'never ran'", "message"), ("revision = 77", "revision"),
            ("sends = 9", "sends"), ("isOpen = NOT isOpen", "isOpen"),
            ("createdAt = 1", "createdAt"), ("sentAt = 1", "sentAt"),
            ("acceptedAt = 1", "acceptedAt"), ("finalAt = finalAt + 3600000", "finalAt"),
            ("observedAt = 1", "observedAt"), ("closedAt = 1", "closedAt"),
            ("code = 'STUCK', finalAt = 1, message = 'x'", "code, message, finalAt"),
        ])
    func anOutcomeThatIsNotThatOfTheFinalAckIsFound(_ kind: LedgerKind, _ sample: (String, String))
        async throws
    {
        let (change, part) = sample
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            let ack = try record.intent.evidence(.succeeded, n: 1)
            var ended = record.progress.next(.succeeded)
            ended.code = ack.code
            ended.result = ack.result
            ended.revision = ack.revision
            let event = LedgerEvent(ack, at: record.intent.issuedAt, state: .succeeded)
            _ = try await ledger.advance(
                record.id, after: record.progress.step, to: ended, because: [event])
            #expect(try await ledger.verify().isIntact)
            try await house.execute("UPDATE command SET \(change)")
            let reason = "the outcome of its command was changed afterwards: \(part)"
            #expect(
                try await ledger.verify().problems == [
                    AuditReport.Problem(number: 1, reason: reason)
                ])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func argumentsBesideASecretAreCompared(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let intent = try CommandIntent.sample(arguments: [
                "ssid": "attic", "key": "hidden-word",
            ])
            let draft = CommandDraft(
                intent, shownArguments: ["ssid": "attic", "key": "[redacted]"])
            _ = try await ledger.accept([draft])
            #expect(try await ledger.verify().isIntact)
            let other = #"{"key":"hidden-word","ssid":"cellar"}"#
            try await house.execute(
                "UPDATE command SET arguments = '\(Array(other.utf8).hexadecimal)'::hex")
            #expect(
                try await ledger.verify().problems.map(\.reason)
                    == ["its command was changed afterwards: arguments"])
        }
    }

    /// The process that follows a command was about to send it when another one took it back.
    @Test(arguments: LedgerKind.allCases)
    func aChangeThatCameTooLateAccusesNobody(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            _ = try await ledger.withdraw(record.id)
            try await ledger.advance(record, to: .sending)
            #expect(
                try await ledger.events(of: record.id).map(\.state) == [.queued, .cancelled, nil])
            #expect(try await ledger.verify().isIntact)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anEntryAfterAMissingOneDoesNotHideIt(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await ledgerWithEntries(in: house)
            try await house.changeLog("DELETE FROM event WHERE number = 6")
            _ = try await ledger.accept(.sample())
            #expect(
                try await ledger.verify().problems.first
                    == AuditReport.Problem(number: 6, reason: "it is missing"))
        }
    }

    @Test func aProgramThatKnowsNoHashesCannotAdd() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            _ = try await ledgerWithEntries(in: house)
            let error = await #expect(throws: DatabaseError.self) {
                try await house.execute(
                    """
                    INSERT INTO event (command, kind, at, cause, state, detail)
                    SELECT command, kind, at, cause, state, detail FROM event WHERE number = 1
                    """)
            }
            #expect(error?.message?.contains("start this program again") == true)
        }
    }

    @Test func theEventsOfAFormerLedgerAreLinked() async throws {
        try await LedgerKind.sqlite.withHouse { house in
            try await house.execute(FormerLedger.dump)
            let ledger = try await house.open().ledger
            let before = try await ledger.verify()
            #expect(before.isIntact)
            #expect(before.entries > 10)
            _ = try await ledger.accept(.sample())
            #expect(
                try await ledger.verify() == AuditReport(entries: before.entries + 1, problems: []))
        }
    }

    /// Three commands, and three events of the first one.
    private func ledgerWithEntries(in house: LedgerHouse) async throws -> any TestedLedger {
        let ledger = try await house.open().ledger
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

    /// A command, and an event of it with what its device says.
    private func ledgerWithControlCharacters(
        in house: LedgerHouse
    ) async throws -> (any TestedLedger, AuditEntry) {
        let ledger = try await house.open().ledger
        let record = try await ledger.accept(.sample())
        try await ledger.append([
            LedgerEvent(
                .evidence, of: record.id, at: record.intent.issuedAt, cause: "\u{9B}",
                detail: ["\u{202E}": 1])
        ])
        return (ledger, try #require(try await ledger.entries(after: 1, limit: 1).first))
    }

    /// Adds a command to the table alone, as another program.
    private func insertCommand(in house: LedgerHouse) async throws {
        let id = Self.inserted.filter { $0 != "-" }
        try await house.execute(
            """
            CREATE TEMP TABLE copy AS SELECT * FROM command WHERE number = 3;
            UPDATE copy SET number = 4, id = x'\(id)', sequence = sequence + 100;
            INSERT INTO command SELECT * FROM copy;
            """)
    }

    private static let inserted = "019ab5e2-4000-7000-8000-000000000099"

    /// By a program that shares no code with ours.
    private func sha256(of text: String) async throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.file("content", text)
        return String(try await ChildProcess.runToEnd("sha256sum", [file]).output.prefix(64))
    }
}

extension AuditEntry {
    /// What its hash covers.
    fileprivate var content: String { String(line.dropLast(#","hash":"\#(hash)"}"#.count)) }
}
