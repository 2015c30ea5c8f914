import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// What a new command, or its user, makes of commands that wait.
@Suite struct WithdrawalTests {
    @Test(arguments: LedgerKind.allCases)
    func aBarrierSupersedesTheActionsOfItsDeviceInTheSameTransaction(_ kind: LedgerKind)
        async throws
    {
        try await kind.withLedger { ledger in
            let start = try await ledger.accept(.sample(sort: .action))
            let setting = try await ledger.accept(.sample(sort: .setting))
            let elsewhere = try await ledger.accept(.sample(device: "robot-9", sort: .action))
            let stop = try await ledger.accept(.sample(sort: .instant, offline: .barrier))
            let ended = try #require(try await ledger.record(of: start.id))
            #expect(ended.state == .superseded)
            #expect(ended.progress.code == .superseded)
            #expect(ended.progress.step == start.progress.step + 1)
            #expect(ended.progress.timings.finalAt == GRDBCommandLedger.start)
            for other in [setting, elsewhere, stop] {
                #expect(try await ledger.record(of: other.id)?.state == .queued)
            }
            let event = try #require(try await ledger.events(of: start.id).last)
            #expect(event.kind == .withdrawn)
            #expect(event.state == .superseded)
            #expect(event.detail["by"]?.string == stop.id.text)
        }
    }

    @Test(arguments: LedgerKind.allCases, [OfflinePolicy.latest, .desired])
    func aNewerSettingSupersedesTheOlderOneOfItsName(_ kind: LedgerKind, _ policy: OfflinePolicy)
        async throws
    {
        try await kind.withLedger { ledger in
            let first = try await ledger.accept(.sample(name: "set-a", offline: policy))
            let other = try await ledger.accept(.sample(name: "set-b", offline: policy))
            _ = try await ledger.accept(.sample(name: "set-a", offline: policy))
            #expect(try await ledger.record(of: first.id)?.state == .superseded)
            #expect(try await ledger.record(of: other.id)?.state == .queued)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func whatMayHaveLeftIsNotWithdrawn(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.accept(.sample(sort: .action))
            try await ledger.advance(record, to: .sending)
            _ = try await ledger.accept(.sample(sort: .instant, offline: .barrier))
            #expect(try await ledger.withdraw(record.id)?.state == .sending)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anotherProcessLearnsWhatWasWithdrawn(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let other = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            let end = try await ledger.withdrawals(after: nil)
            #expect(end.records.isEmpty)
            #expect(try await other.withdraw(record.id)?.state == .cancelled)
            let news = try await ledger.withdrawals(after: end.end)
            #expect(news.records.map(\.id) == [record.id])
            #expect(news.records.map(\.state) == [.cancelled])
            #expect(try await ledger.withdrawals(after: news.end).records.isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theProcessThatWaitsIsOvertaken(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let other = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            _ = try await other.withdraw(record.id)
            let verdict = try await ledger.advance(
                record.id, after: record.progress.step, to: record.progress.next(.sending),
                because: [])
            guard case .overtaken(let winner) = verdict else {
                Issue.record("a withdrawn command was sent")
                return
            }
            #expect(winner.state == .cancelled)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func onlyWhatWaitsIsListed(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let waiting = try await ledger.accept(.sample())
            try await ledger.advance(ledger.accept(.sample()), to: .sending)
            _ = try await ledger.withdraw(ledger.accept(.sample()).id)
            let listed = try await ledger.history(HistoryQuery(stage: .waiting))
            #expect(listed.map(\.id) == [waiting.id])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func whatIsNotThereIsNotWithdrawn(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let stranger = try CommandIntent.sample()
            #expect(try await ledger.withdraw(stranger.id) == nil)
        }
    }
}
