import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// A command that never left goes over another channel.
@Suite struct LedgerReroutingTests {
    private let first: ChannelID
    private let second: ChannelID

    init() throws {
        first = try ChannelID("garage-broker")
        second = try ChannelID("house")
    }

    private func open(_ house: LedgerHouse) async throws -> any TestedLedger {
        try await house.open(
            at: CommandPlaces(here: [
                first: CommandPlaces.Place("mqtt://one"), second: CommandPlaces.Place("ws://two"),
            ])
        ).ledger
    }

    private func change(
        _ record: CommandRecord, after step: Int? = nil, payload: String = "other bytes"
    ) -> CommandChange {
        var progress = record.progress
        progress.step += 1
        return CommandChange(
            of: record.id, after: step ?? record.progress.step, to: progress,
            because: [
                LedgerEvent(
                    .rerouted, of: record.id, at: GRDBCommandLedger.start, cause: "it never left",
                    detail: ["channel": .string(second.text)])
            ],
            rerouted: PreparedCommand(
                intent: record.intent, channel: second, sequence: record.prepared.sequence,
                payload: Array(payload.utf8)))
    }

    @Test(arguments: LedgerKind.allCases)
    func theRowHasTheNewBytesAndTheLogSaysWhy(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await open(house)
            let record = try await ledger.accept(.sample())
            #expect(try await ledger.advance([change(record)]) == [.advanced])
            let moved = try #require(try await open(house).record(of: record.id))
            #expect(moved.prepared.channel == second)
            #expect(moved.prepared.payload == Array("other bytes".utf8))
            #expect(moved.prepared.sequence == record.prepared.sequence)
            #expect(moved.place == CommandPlaces.Place("ws://two"))
            #expect(moved.progress.step == record.progress.step + 1)
            let events = try await ledger.events(of: record.id)
            #expect(events.map(\.kind) == [.created, .rerouted])
            #expect(events.last?.detail["payload"]?.string?.count == 64)
            #expect(try await ledger.verify() == AuditReport(entries: 2, problems: []))
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func whatAnotherProcessChangedStays(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await open(house)
            let record = try await ledger.accept(.sample())
            let verdict = try await ledger.advance([change(record, after: record.progress.step + 1)]
            )
            #expect(verdict == [.overtaken(try #require(try await ledger.record(of: record.id)))])
            #expect(try await ledger.record(of: record.id)?.prepared.channel == first)
            #expect(try await ledger.events(of: record.id).map(\.kind) == [.created])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aChangeOfTheBytesShows(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await open(house)
            let record = try await ledger.accept(.sample())
            _ = try await ledger.advance([change(record)])
            try await house.execute("UPDATE command SET payload = '00'::hex")
            let problems = try await ledger.verify().problems
            #expect(problems.count == 1)
            #expect("\(problems)".contains("the bytes of its command were changed afterwards"))
            try await house.execute("UPDATE command SET channel = 'garage-broker'")
            #expect("\(try await ledger.verify().problems)".contains("channel"))
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theBytesOfASecretHaveNoDigest(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await open(house)
            let intent = try CommandIntent.sample(arguments: ["key": "hidden-word"])
            let records = try await ledger.accept([
                CommandDraft(intent, shownArguments: ["key": "[redacted]"])
            ])
            _ = try await ledger.advance([change(try #require(records.first))])
            #expect(try await ledger.events(of: intent.id).last?.detail["payload"] == nil)
            #expect(try await ledger.verify().problems.isEmpty)
        }
    }
}
