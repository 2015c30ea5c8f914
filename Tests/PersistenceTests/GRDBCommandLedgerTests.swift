import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import Testing

@Suite struct GRDBCommandLedgerTests {
    private let ledger: GRDBCommandLedger

    init() throws { ledger = .onManualTime(try .inMemory()) }

    @Test func aCommandComesBackAsItWasAccepted() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent, opening: .queued)
        #expect(record.intent == intent)
        #expect(record.sequence == 1)
        #expect(record.payload == intent.payload(sequence: 1))
        #expect(try await ledger.record(of: intent.id) == record)
    }

    @Test(arguments: [
        OfflinePolicy.failFast, .expire(after: .seconds(1)), .latest, .barrier, .desired,
    ])
    func everyOfflinePolicyComesBack(_ policy: OfflinePolicy) async throws {
        let intent = try CommandIntent.sample(offline: policy)
        _ = try await ledger.accept(intent, opening: .queued)
        #expect(try await ledger.record(of: intent.id)?.intent.offline == policy)
    }

    @Test func progressComesBackWithAllItsParts() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent, opening: .queued)
        var new = record.progress.next(.succeeded)
        new.code = .ok
        new.message = "done"
        new.percent = 40.5
        new.result = ["previous": nil, "list": [1, 2.5]]
        new.revision = 119
        new.boot = try BootID("b7")
        new.lastAck = 3
        new.sends = 2
        new.mayHaveLeft = true
        new.timings.sentAt = intent.issuedAt.advanced(by: .milliseconds(3))
        new.timings.acceptedAt = intent.issuedAt.advanced(by: .milliseconds(5))
        new.timings.finalAt = intent.issuedAt.advanced(by: .milliseconds(9))
        let verdict = try await ledger.advance(
            intent.id, from: record.progress, to: new, because: nil)
        #expect(verdict == .advanced)
        #expect(try await ledger.record(of: intent.id)?.progress == new)
    }

    @Test func theSequenceRisesPerControllerAndDevice() async throws {
        func accept(_ device: String, _ controller: String, _ home: String) async throws -> Int {
            let intent = try CommandIntent.sample(
                device: device, controller: controller, home: home)
            return try await ledger.accept(intent, opening: .queued).sequence
        }
        #expect(try await accept("robot-1", "ctl", "home-1") == 1)
        #expect(try await accept("robot-1", "ctl", "home-1") == 2)
        #expect(try await accept("robot-2", "ctl", "home-1") == 1)
        #expect(try await accept("robot-1", "other", "home-1") == 1)
        #expect(try await accept("robot-1", "ctl", "home-2") == 1)
        #expect(try await accept("robot-1", "ctl", "home-1") == 3)
    }

    @Test func anIDIsAcceptedOnce() async throws {
        let intent = try CommandIntent.sample()
        _ = try await ledger.accept(intent, opening: .queued)
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.accept(intent, opening: .queued)
        }
        #expect(error?.code == .conflict)
        #expect(try await ledger.history(HistoryQuery()).count == 1)
    }

    @Test func aStaleStepIsOvertaken() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent, opening: .queued)
        let winner = record.progress.next(.sending)
        _ = try await ledger.advance(intent.id, from: record.progress, to: winner, because: nil)
        let verdict = try await ledger.advance(
            intent.id, from: record.progress, to: record.progress.next(.expired), because: nil)
        #expect(
            verdict
                == .overtaken(
                    CommandRecord(
                        intent: intent, sequence: 1, payload: record.payload, progress: winner)))
    }

    @Test func aStateThatIsNoStateIsRefusedByTheSchema() async throws {
        let intent = try CommandIntent.sample()
        let start = CommandTimings(createdAt: intent.issuedAt)
        let created = CommandProgress(step: 1, state: .created, timings: start)
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.accept(intent, opening: created)
        }
        #expect(error?.code == .conflict)
        #expect(try await ledger.record(of: intent.id) == nil, "nothing is half done")
    }

    @Test func anAckIsFiledOnce() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent, opening: .queued)
        let ack = try intent.ack(.accepted, n: 1)
        #expect(try await ledger.file(ack) == AckFiling(record: record, isNew: true))
        #expect(try await ledger.file(ack) == AckFiling(record: record, isNew: false))
        #expect(try await ledger.file(ack.replayed).isNew == false)
    }

    @Test func anAckThatCameWithAChangeIsFiledWithIt() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent, opening: .queued)
        let ack = try intent.ack(.succeeded, n: 2)
        _ = try await ledger.advance(
            intent.id, from: record.progress, to: record.progress.next(.succeeded), because: ack)
        #expect(try await ledger.file(ack).isNew == false)
    }

    @Test func anAckOfAnotherDeviceIsNotFiled() async throws {
        let intent = try CommandIntent.sample()
        _ = try await ledger.accept(intent, opening: .queued)
        var ack = try intent.ack(.accepted, n: 1)
        ack.device = try DeviceID("robot-2")
        #expect(try await ledger.file(ack).isNew == false)
        #expect(try await ledger.file(try intent.ack(.accepted, n: 1)).isNew)
    }

    @Test func anAckForAnUnknownCommandFindsNothing() async throws {
        let ack = try CommandIntent.sample().ack(.accepted, n: 1)
        #expect(try await ledger.file(ack) == AckFiling(record: nil, isNew: false))
        try await ledger.note(
            CommandAnomaly(
                .unknownCommand, command: ack.id, device: ack.device, ack: ack, at: ack.at))
    }

    @Test func historyIsNewestFirstAndLeavesInquiriesOut() async throws {
        let first = try CommandIntent.sample()
        let other = try CommandIntent.sample(device: "robot-2")
        let last = try CommandIntent.sample()
        let inquiry = try CommandIntent.sample(purpose: .inquiry)
        for intent in [first, other, last, inquiry] {
            _ = try await ledger.accept(intent, opening: .queued)
        }
        let all = try await ledger.history(HistoryQuery())
        #expect(all.map(\.id) == [last.id, other.id, first.id])
        let one = try await ledger.history(HistoryQuery(device: first.device))
        #expect(one.map(\.id) == [last.id, first.id])
        #expect(try await ledger.history(HistoryQuery(limit: 1)).map(\.id) == [last.id])
        let none = try await ledger.history(HistoryQuery(controller: try ControllerID("other")))
        #expect(none.isEmpty)
    }
}
