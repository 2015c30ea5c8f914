import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// The log of events.
@Suite struct LedgerEventsTests {
    @Test(arguments: LedgerKind.allCases)
    func acceptanceIsTheFirstEvent(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
                            "arguments": .object(intent.arguments), "ifRevision": 7,
                            "cause": "undo:x",
                            "expiresAt": .integer(intent.expiresAt.milliseconds),
                            "issuedAt": .integer(intent.issuedAt.milliseconds),
                            "sequence": .integer(intent.issuedAt.milliseconds),
                            "lane": .string(intent.lane.rawValue), "sort": "action",
                            "offline": "expire", "offlineMilliseconds": 600_000,
                        ])
                ])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyPartOfAnEventComesBackInOrder(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
    }

    @Test(arguments: LedgerKind.allCases)
    func aChangeAndItsCausesAreWrittenTogether(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
    }

    @Test(arguments: LedgerKind.allCases)
    func theEventsOfAnOvertakenChangeAreKept(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.accept(.sample())
            try await ledger.advance(record, to: .sent)
            let event = LedgerEvent(.deadline, of: record.id, at: later(9))
            _ = try await ledger.advance(
                record.id, after: record.progress.step, to: record.progress.next(.expired),
                because: [event])
            #expect(try await ledger.events(of: record.id).last == event)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func eventsOfAnUnknownCommandAreKept(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let stranger = try CommandIntent.sample()
            let event = LedgerEvent(
                .anomaly, of: stranger.id, at: later(0), cause: "nobody sent it", raw: [1])
            try await ledger.append([event])
            #expect(try await ledger.events(of: stranger.id) == [event])
            #expect(try await ledger.record(of: stranger.id) == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theLogRefusesChanges(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ledger = try await house.open().ledger
            let record = try await ledger.accept(.sample())
            for sql in ["UPDATE event SET cause = 'other'", "DELETE FROM event"] {
                await #expect(throws: (any Error).self) { try await house.executeUnderRules(sql) }
            }
            #expect(try await ledger.events(of: record.id).map(\.cause) == [""])
        }
    }

    // MARK: Evidence

    @Test(arguments: LedgerKind.allCases)
    func evidenceIsFiledOnce(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
    }

    @Test(arguments: LedgerKind.allCases)
    func otherBytesAreOtherEvidence(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            _ = try await ledger.accept(intent)
            for n in 1...2 {
                let evidence = try intent.evidence(.progress, n: n)
                #expect(try await ledger.file(evidence, at: later(n)).isNew)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theSameBytesForTwoCommandsAreTwoPiecesOfEvidence(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            for intent in [try CommandIntent.sample(), try .sample()] {
                _ = try await ledger.accept(intent)
                var evidence = try intent.evidence(.accepted, n: 1)
                evidence.raw = [1, 2, 3]
                #expect(try await ledger.file(evidence, at: later(1)).isNew)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func evidenceWithoutBytesIsKnownByItsContent(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
    }

    @Test(arguments: LedgerKind.allCases)
    func evidenceThatCameWithAChangeIsKnown(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
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
    }

    @Test(arguments: LedgerKind.allCases)
    func evidenceOfAnotherDeviceIsNotFiled(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let record = try await ledger.accept(intent)
            var evidence = try intent.evidence(.accepted, n: 1)
            evidence.device = try DeviceID("robot-2")
            let filing = try await ledger.file(evidence, at: later(1))
            #expect(filing == EvidenceFiling(record: record, isNew: false))
            #expect(try await ledger.events(of: intent.id).count == 1)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func evidenceForAnUnknownCommandFindsNothing(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let intent = try CommandIntent.sample()
            let evidence = try intent.evidence(.accepted, n: 1)
            let filing = try await ledger.file(evidence, at: later(1))
            #expect(filing == EvidenceFiling(record: nil, isNew: false))
            #expect(try await ledger.events(of: intent.id).isEmpty)
        }
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
