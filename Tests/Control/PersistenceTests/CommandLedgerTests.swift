import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import Testing

@Suite struct CommandLedgerTests {
    @Test(arguments: LedgerKind.allCases)
    func aCommandComesBackAsItWasAccepted(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let record = try await ledger.accept(intent)
            let sequence = GRDBCommandLedger.start.milliseconds
            #expect(record.prepared == (try .sample(intent, sequence: sequence)))
            #expect(record.progress == .queued)
            #expect(try await ledger.record(of: intent.id) == record)
        }
    }

    @Test(
        arguments: LedgerKind.allCases,
        [
            OfflinePolicy.failFast, .expire(after: .seconds(1)), .latest, .barrier, .desired,
        ])
    func everyOfflinePolicyComesBack(_ kind: LedgerKind, _ policy: OfflinePolicy) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample(offline: policy)
            _ = try await ledger.accept(intent)
            #expect(try await ledger.record(of: intent.id)?.intent.offline == policy)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func progressComesBackWithAllItsParts(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let record = try await ledger.accept(intent)
            var new = record.progress.next(.succeeded)
            new.code = .ok
            new.message = "done"
            new.percent = 40.5
            new.result = ["previous": nil, "list": [1, 2.5]]
            new.revision = 119
            new.boot = try BootID("b7")
            new.lastAck = 3
            new.sends = 2
            new.desiredRevision = 8
            new.mayHaveLeft = true
            new.timings = CommandTimings(
                createdAt: intent.issuedAt.advanced(by: .milliseconds(1)),
                sentAt: intent.issuedAt.advanced(by: .milliseconds(3)),
                acceptedAt: intent.issuedAt.advanced(by: .milliseconds(5)),
                finalAt: intent.issuedAt.advanced(by: .milliseconds(9)),
                observedAt: intent.issuedAt.advanced(by: .milliseconds(11)))
            let verdict = try await ledger.advance(
                intent.id, after: record.progress.step, to: new, because: [])
            #expect(verdict == .advanced)
            #expect(try await ledger.record(of: intent.id)?.progress == new)
        }
    }

    @Test func aCommandIsAcceptedOnce() async throws {
        try await LedgerKind.sqlite.withLedger { ledger in
            let intent = try CommandIntent.sample()
            _ = try await ledger.accept(intent)
            let error = await #expect(throws: LedgerError.self) { try await ledger.accept(intent) }
            #expect(error?.code == .conflict)
            #expect(try await ledger.history(HistoryQuery()).count == 1)
            #expect(try await ledger.events(of: intent.id).count == 1)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aStaleStepIsOvertaken(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.accept(.sample())
            let winner = try await ledger.advance(record, to: .sending)
            let verdict = try await ledger.advance(
                record.id, after: record.progress.step, to: record.progress.next(.expired),
                because: [])
            #expect(verdict == .overtaken(winner))
            #expect(try await ledger.record(of: record.id) == winner)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func changesThatAreMadeTogetherHaveAVerdictEach(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let (first, second) = (
                try await ledger.accept(.sample()), try await ledger.accept(.sample())
            )
            let winner = try await ledger.advance(first, to: .sending)
            let verdicts = try await ledger.advance([
                CommandChange(
                    of: first.id, after: first.progress.step, to: first.progress.next(.expired),
                    because: []),
                CommandChange(
                    of: second.id, after: second.progress.step, to: second.progress.next(.expired),
                    because: []),
            ])
            #expect(verdicts == [.overtaken(winner), .advanced])
            #expect(try await ledger.record(of: first.id) == winner)
            #expect(try await ledger.record(of: second.id)?.state == .expired)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func changesThatAreMadeTogetherAreMadeAllOrNone(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.accept(.sample())
            let event = LedgerEvent(.deadline, of: record.id, at: record.intent.issuedAt)
            let known = CommandChange(
                of: record.id, after: record.progress.step, to: record.progress.next(.expired),
                because: [event])
            let unknown = CommandChange(
                of: try CommandIntent.sample().id, after: 0, to: .queued.next(.expired), because: []
            )
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.advance([known, unknown])
            }
            #expect(error?.code == .conflict)
            #expect(try await ledger.record(of: record.id) == record)
            #expect(try await ledger.events(of: record.id).count == 1)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aChangeOfAnUnknownCommandIsAConflictAndLeavesNothing(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let event = LedgerEvent(.deadline, of: intent.id, at: intent.issuedAt)
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.advance(
                    intent.id, after: 0, to: .queued.next(.expired), because: [event])
            }
            #expect(error?.code == .conflict)
            #expect(try await ledger.events(of: intent.id).isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func historyIsNewestFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let first = try CommandIntent.sample()
            let other = try CommandIntent.sample(device: "robot-2")
            let last = try CommandIntent.sample()
            for intent in [first, other, last] { _ = try await ledger.accept(intent) }
            let all = try await ledger.history(HistoryQuery())
            #expect(all.map(\.id) == [last.id, other.id, first.id])
            let one = try await ledger.history(HistoryQuery(devices: [first.device]))
            #expect(one.map(\.id) == [last.id, first.id])
            #expect(try await ledger.history(HistoryQuery(limit: 1)).map(\.id) == [last.id])
            #expect(try await ledger.history(HistoryQuery(limit: 0)).isEmpty)
            let none = try await ledger.history(HistoryQuery(controller: try ControllerID("other")))
            #expect(none.isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func historyIsThatOfStatesOfATimeAndOfTheEndOfAnID(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intents = [try CommandIntent.sample(), try CommandIntent.sample()]
            let first = try await ledger.accept(intents[0])
            _ = try await ledger.accept(intents[1])
            _ = try await ledger.advance(
                first.id, after: first.progress.step, to: first.progress.next(.expired), because: []
            )
            let digits = String(intents[1].id.text.filter { $0 != "-" }.suffix(16))
            let latest = intents.map(\.issuedAt).max()
            let newest = intents.filter { $0.issuedAt == latest }.map(\.id)
            for (query, expected) in [
                (HistoryQuery(states: [.expired, .failed]), [intents[0].id]),
                (HistoryQuery(states: []), []), (HistoryQuery(since: latest), newest),
                (HistoryQuery(since: latest?.advanced(by: .milliseconds(1))), []),
                (HistoryQuery(idEnding: digits), [intents[1].id]),
                (HistoryQuery(idEnding: "x" + digits), []),
            ] {
                let found = try await ledger.history(query).map(\.id)
                #expect(Set(found) == Set(expected), "\(query)")
            }
        }
    }
}
