import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import Testing

/// Batches of commands and their sequence numbers.
@Suite struct LedgerBatchTests {
    private let start = GRDBCommandLedger.start.milliseconds

    @Test(arguments: LedgerKind.allCases)
    func aBatchIsAcceptedInItsOrder(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intents = try (0..<5).map { try CommandIntent.sample(device: "robot-\($0 % 2)") }
            let records = try await ledger.accept(intents.map { CommandDraft($0) })
            #expect(records.map(\.intent) == intents)
            #expect(records.map(\.prepared.sequence) == [0, 0, 1, 1, 2].map { start + $0 })
            let history = try await ledger.history(HistoryQuery())
            #expect(history == records.reversed())
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theBytesAreMadeWithTheAllottedSequence(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intents = try [CommandIntent.sample(), .sample()]
            let records = try await ledger.accept(intents.map { CommandDraft($0) })
            for record in records {
                let message = try CommandMessage(payload: record.prepared.payload)
                #expect(message.sequence == record.prepared.sequence)
            }
            #expect(Set(records.map(\.prepared.sequence)).count == 2)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anEmptyBatchIsNothing(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger async throws in
            #expect(try await ledger.accept([]).isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func oneCommandThatCannotBePreparedStopsTheBatch(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intents = try (0..<3).map { _ in try CommandIntent.sample() }
            let drafts = [
                CommandDraft(intents[0]), .inexpressible(intents[1]), CommandDraft(intents[2]),
            ]
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(drafts) }
            #expect(error?.code == .inexpressible)
            #expect(error?.message == "the channel has no way to say it")
            #expect(error?.underlying == "no such member")
            try await expectNothing(of: intents, in: ledger)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func oneKnownCommandStopsTheBatch(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let known = try CommandIntent.sample()
            _ = try await ledger.accept(known)
            let new = try CommandIntent.sample()
            let drafts = [CommandDraft(new), CommandDraft(known)]
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(drafts) }
            #expect(error?.code == .conflict)
            try await expectNothing(of: [new], in: ledger)
            #expect(try await ledger.accept(new).prepared.sequence == start + 1)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aChannelThatPreparesAnotherCommandIsRefused(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let draft = CommandDraft(intent: intent, opening: .queued) {
                intent, sequence throws(CommunicationError) in
                try .sample(intent, sequence: sequence + 1)
            }
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept([draft]) }
            #expect(error?.code == .failed)
            #expect(error?.message.contains("prepared another command") == true)
            try await expectNothing(of: [intent], in: ledger)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theSequenceIsOfOneControllerHomeAndDevice(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger async throws in
            func accept(_ device: String, _ controller: String, _ home: String) async throws -> Int
            {
                let intent = try CommandIntent.sample(
                    device: device, controller: controller, home: home)
                return try await ledger.accept(intent).prepared.sequence - start
            }
            #expect(try await accept("robot-1", "ctl", "home-1") == 0)
            #expect(try await accept("robot-1", "ctl", "home-1") == 1)
            #expect(try await accept("robot-2", "ctl", "home-1") == 0)
            #expect(try await accept("robot-1", "other", "home-1") == 0)
            #expect(try await accept("robot-1", "ctl", "home-2") == 0)
            #expect(try await accept("robot-1", "ctl", "home-1") == 2)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theSequenceFollowsTheClockAndNeverFalls(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            func accept(after milliseconds: Int) async throws -> Int {
                let time = GRDBCommandLedger.start.advanced(by: .milliseconds(milliseconds))
                try await house.setClock(time)
                let record = try await ledger.accept(.sample(issuedAt: time))
                return record.prepared.sequence - start
            }
            #expect(try await accept(after: 0) == 0)
            #expect(try await accept(after: 5_000) == 5_000)
            #expect(try await accept(after: 5_000) == 5_001)
            #expect(try await accept(after: -60_000) == 5_002, "the clock was set back")
            #expect(try await accept(after: 6_000) == 6_000)
        }
    }

    @Test func aNewLedgerGoesOnWhereAnotherOneEnded() async throws {
        try await LedgerKind.sqlite.withLedger { ledger in
            let time = GRDBCommandLedger.start
            let last = try await ledger.accept(.sample(issuedAt: time)).prepared.sequence
            let newLedger = GRDBCommandLedger.onManualTime(try .inMemory())
            let later = try CommandIntent.sample(issuedAt: time.advanced(by: .milliseconds(1)))
            #expect(try await newLedger.accept(later).prepared.sequence > last)
        }
    }

    private func expectNothing(
        of intents: [CommandIntent], in ledger: any TestedLedger,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for intent in intents {
            let record = try await ledger.record(of: intent.id)
            #expect(record == nil, sourceLocation: sourceLocation)
            let events = try await ledger.events(of: intent.id)
            #expect(events.isEmpty, sourceLocation: sourceLocation)
        }
    }
}
