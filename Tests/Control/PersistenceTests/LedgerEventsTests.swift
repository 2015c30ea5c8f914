import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import GRDB
import Persistence
import TestSupport
import Testing

/// The log of events.
@Suite struct LedgerEventsTests {
    private let ledger: GRDBCommandLedger

    init() throws { ledger = .onManualTime(try .inMemory()) }

    @Test func acceptanceIsTheFirstEvent() async throws {
        let intent = try CommandIntent.sample()
        let progress = CommandProgress.queued.next(.sending)
        let draft = CommandDraft(intent, opening: progress, cause: "robot-1 can be reached")
        _ = try await ledger.accept([draft])
        var events = try await ledger.events(of: intent.id)
        #expect(events[0].detail.removeValue(forKey: "payload")?.string?.count == 64)
        #expect(
            events == [
                LedgerEvent(
                    .created, of: intent.id, at: GRDBCommandLedger.start,
                    cause: "robot-1 can be reached", state: .sending,
                    detail: [
                        "controller": "ctl", "home": "home-1", "device": "robot-1",
                        "channel": "garage-broker", "name": "start-cleaning",
                        "arguments": .object(intent.arguments), "ifRevision": 7, "cause": "undo:x",
                        "expiresAt": .integer(intent.expiresAt.milliseconds),
                    ])
            ])
    }

    @Test func everyPartOfAnEventComesBackInOrder() async throws {
        let record = try await ledger.accept(.sample())
        let events = [
            LedgerEvent(
                .receipt, of: record.id, at: later(1), cause: "the link has it", state: .sent,
                detail: ["attempt": 1, "deep": ["list": [nil, 2.5, "☃"]]]),
            LedgerEvent(.evidence, of: record.id, at: later(3), raw: [0, 0xFF, 0x7B]),
            LedgerEvent(LedgerEvent.Kind(rawValue: "later-kind"), of: record.id, at: later(2)),
        ]
        try await ledger.append(Array(events.prefix(2)))
        try await ledger.append(Array(events.suffix(1)))
        #expect(try await ledger.events(of: record.id).dropFirst() == events[...])
    }

    @Test func aChangeAndItsCausesAreWrittenTogether() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent)
        let events = [
            LedgerEvent(.reach, of: intent.id, at: later(1), cause: "robot-1 can be reached"),
            LedgerEvent(.sent, of: intent.id, at: later(1), state: .sending),
        ]
        _ = try await ledger.advance(
            intent.id, after: record.progress.step, to: record.progress.next(.sending),
            because: events)
        #expect(try await ledger.events(of: intent.id).dropFirst() == events[...])
    }

    @Test func theEventsOfAnOvertakenChangeAreKept() async throws {
        let record = try await ledger.accept(.sample())
        try await ledger.advance(record, to: .sent)
        let event = LedgerEvent(.deadline, of: record.id, at: later(9))
        _ = try await ledger.advance(
            record.id, after: record.progress.step, to: record.progress.next(.expired),
            because: [event])
        #expect(try await ledger.events(of: record.id).last == event)
    }

    @Test func eventsOfAnUnknownCommandAreKept() async throws {
        let stranger = try CommandIntent.sample()
        let event = LedgerEvent(
            .anomaly, of: stranger.id, at: later(0), cause: "nobody sent it", raw: [1])
        try await ledger.append([event])
        #expect(try await ledger.events(of: stranger.id) == [event])
        #expect(try await ledger.record(of: stranger.id) == nil)
    }

    @Test func theLogRefusesChanges() async throws {
        let folder = try TemporaryFolder()
        let (_, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        let other = try folder.otherProgram()
        for sql in ["UPDATE event SET cause = 'other'", "DELETE FROM event"] {
            #expect(throws: DatabaseError.self) {
                try other.writeWithoutTransaction { try $0.execute(sql: sql) }
            }
        }
        #expect(try await ledger.events(of: record.id).map(\.cause) == [""])
    }

    // MARK: Evidence

    @Test func evidenceIsFiledOnce() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent)
        let evidence = try intent.evidence(.accepted, n: 1)
        let first = try await ledger.file(evidence, at: later(1))
        #expect(first == EvidenceFiling(record: record, isNew: true))
        let second = try await ledger.file(evidence, at: later(2))
        #expect(second == EvidenceFiling(record: record, isNew: false))
        let filed = try await ledger.events(of: intent.id).dropFirst()
        #expect(filed == [LedgerEvent(evidence, at: later(1))])
        #expect(filed.first?.raw == evidence.raw)
    }

    @Test func otherBytesAreOtherEvidence() async throws {
        let intent = try CommandIntent.sample()
        _ = try await ledger.accept(intent)
        for n in 1...2 {
            let evidence = try intent.evidence(.progress, n: n)
            #expect(try await ledger.file(evidence, at: later(n)).isNew)
        }
    }

    @Test func theSameBytesForTwoCommandsAreTwoPiecesOfEvidence() async throws {
        for intent in [try CommandIntent.sample(), try .sample()] {
            _ = try await ledger.accept(intent)
            var evidence = try intent.evidence(.accepted, n: 1)
            evidence.raw = [1, 2, 3]
            #expect(try await ledger.file(evidence, at: later(1)).isNew)
        }
    }

    @Test func evidenceWithoutBytesIsKnownByItsContent() async throws {
        let intent = try CommandIntent.sample()
        _ = try await ledger.accept(intent)
        var evidence = CommandEvidence(
            id: intent.id, device: intent.device, source: .readBack, stage: .progress,
            percent: 40)
        #expect(try await ledger.file(evidence, at: later(1)).isNew)
        #expect(try await ledger.file(evidence, at: later(2)).isNew == false)
        evidence.percent = 60
        #expect(try await ledger.file(evidence, at: later(3)).isNew)
        evidence.raw = [1]
        #expect(try await ledger.file(evidence, at: later(4)).isNew, "it came on the wire")
    }

    @Test func evidenceThatCameWithAChangeIsKnown() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent)
        let concluded = CommandEvidence(
            id: intent.id, device: intent.device, source: .readBack, stage: .succeeded)
        for evidence in [try intent.evidence(.succeeded, n: 2), concluded] {
            let event = LedgerEvent(
                evidence, at: later(1), cause: "robot-1 says succeeded", state: .succeeded)
            _ = try await ledger.advance(
                intent.id, after: record.progress.step, to: record.progress.next(.succeeded),
                because: [event])
            #expect(try await ledger.file(evidence, at: later(2)).isNew == false)
        }
    }

    @Test func evidenceOfAnotherDeviceIsNotFiled() async throws {
        let intent = try CommandIntent.sample()
        let record = try await ledger.accept(intent)
        var evidence = try intent.evidence(.accepted, n: 1)
        evidence.device = try DeviceID("robot-2")
        let filing = try await ledger.file(evidence, at: later(1))
        #expect(filing == EvidenceFiling(record: record, isNew: false))
        #expect(try await ledger.events(of: intent.id).count == 1)
    }

    @Test func evidenceForAnUnknownCommandFindsNothing() async throws {
        let intent = try CommandIntent.sample()
        let evidence = try intent.evidence(.accepted, n: 1)
        let filing = try await ledger.file(evidence, at: later(1))
        #expect(filing == EvidenceFiling(record: nil, isNew: false))
        #expect(try await ledger.events(of: intent.id).isEmpty)
    }

    @Test func theDetailOfEvidenceHasWhatItSays() throws {
        let intent = try CommandIntent.sample()
        var evidence = try intent.evidence(.failed, n: 3)
        evidence.code = .stuck
        evidence.message = "a wheel is blocked"
        evidence.percent = 12.5
        evidence.isFinal = false
        evidence.isReplay = true
        #expect(
            LedgerEvent(evidence, at: later(0)).detail == [
                "device": "robot-1", "source": "device", "stage": "failed", "code": "STUCK",
                "message": "a wheel is blocked", "percent": 12.5, "final": false, "replay": true,
                "result": ["previous": "max"], "revision": 8, "boot": "b1", "n": 3,
                "executions": 1, "at": .integer(GRDBCommandLedger.start.milliseconds),
            ])
    }

    private func later(_ milliseconds: Int) -> Timestamp {
        GRDBCommandLedger.start.advanced(by: .milliseconds(milliseconds))
    }
}
