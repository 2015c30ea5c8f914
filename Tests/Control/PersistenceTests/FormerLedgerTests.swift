import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import GRDB
import Persistence
import TestSupport
import Testing

/// A file of the schema before the log of events is read by this version.
@Suite struct FormerLedgerTests {
    private let folder: TemporaryFolder
    private let controller: ControllerID
    private let home: HomeID

    init() throws {
        folder = try TemporaryFolder()
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
        try folder.execute(FormerLedger.dump)
    }

    @Test func theHistoryIsThereWithoutInquiries() async throws {
        let (_, ledger) = try folder.openLedger()
        let history = try await ledger.history(HistoryQuery())
        #expect(try history.map(\.id) == [10, 8, 7, 6, 5, 3, 2, 1].map(id))
        #expect(
            history.map(\.state) == [
                .queued, .queued, .running, .failed, .refused, .unknown, .rejected, .succeeded,
            ])
        #expect(history.map(\.prepared.sequence) == [1, 2, 5, 4, 1, 2, 1, 1])
        #expect(Set(history.map(\.prepared.channel.text)) == ["mqtt"])
    }

    @Test func aCommandKeepsAllItsParts() async throws {
        let (_, ledger) = try folder.openLedger()
        let record = try #require(try await ledger.record(of: id(2)))
        let intent = record.intent
        #expect(intent.device.text == "robot-2")
        #expect(intent.arguments == ["rooms": [3, 5], "note": "a \"quoted\" ☃ text"])
        #expect(intent.offline == .expire(after: .seconds(600)))
        #expect(intent.ifRevision == 7)
        #expect(intent.cause == "undo:x")
        #expect(intent.isDryRun == false)
        #expect(try CommandMessage(payload: record.prepared.payload).id == intent.id)
        let progress = record.progress
        #expect(progress.code == .precondition)
        #expect(progress.message == "revision 9")
        #expect(progress.revision == 9)
        #expect(progress.boot?.text == "b7")
        #expect(progress.step == 3)
        #expect(progress.sends == 1)
        #expect(
            progress.timings
                == CommandTimings(
                    createdAt: time(1_160), sentAt: time(1_200), finalAt: time(1_240)))
    }

    @Test func changesAndAcksBecomeEventsInOrder() async throws {
        let (_, ledger) = try folder.openLedger()
        let events = try await ledger.events(of: id(1))
        #expect(
            events.map(\.kind) == [
                .transition, .transition, .transition, .evidence, .transition, .evidence,
                .transition,
            ])
        #expect(
            events.map(\.state) == [.created, .sending, .sent, nil, .accepted, nil, .succeeded])
        #expect(events.map(\.at) == [0, 0, 40, 80, 80, 120, 120].map(time))
        #expect(
            events[3].detail
                == ["device": "robot-1", "n": 1, "source": "device", "stage": "accepted"])
        let ack = try AckMessage(payload: events[5].raw)
        #expect(ack.stage == .succeeded)
        #expect(ack.result == ["previous": "quiet"])
    }

    @Test func anomaliesBecomeEvents() async throws {
        let (_, ledger) = try folder.openLedger()
        let contradiction = try #require(try await ledger.events(of: id(6)).last)
        #expect(contradiction.kind == .anomaly)
        #expect(
            contradiction.detail == ["anomaly": "contradictory-final", "device": "robot-1"])
        #expect(try AckMessage(payload: contradiction.raw).n == 3)
        let denial = try #require(try await ledger.events(of: id(3)).last)
        #expect(denial.kind == .anomaly)
        #expect(denial.raw.isEmpty)
        let stranger = try await ledger.events(of: id(99))
        #expect(stranger.map(\.kind) == [.anomaly])
        #expect(try await ledger.record(of: id(99)) == nil)
    }

    @Test func nothingIsLeftOfInquiries() async throws {
        let (_, ledger) = try folder.openLedger()
        for number in [4, 9] {
            #expect(try await ledger.record(of: id(number)) == nil)
            #expect(try await ledger.events(of: id(number)).isEmpty)
        }
    }

    @Test func openCommandsAreAdopted() async throws {
        let (_, ledger) = try folder.openLedger()
        let adopted = try await ledger.adoptOrphans(of: controller, in: home)
        #expect(try adopted == [7, 8].map(id))
        let last = try #require(try await ledger.events(of: id(7)).last)
        #expect(last.kind == .adopted)
        #expect(last.state == nil)
        #expect(!last.cause.isEmpty)
    }

    @Test func anAckThatTheFormerProgramStoredIsKnown() async throws {
        let (_, ledger) = try folder.openLedger()
        let events = try await ledger.events(of: id(7))
        let raw = try #require(events.last { $0.kind == .evidence }?.raw)
        let evidence = CommandEvidence(try AckMessage(payload: raw), raw: raw)
        #expect(try await ledger.file(evidence, at: time(90_000)).isNew == false)
        #expect(try await ledger.events(of: id(7)) == events)
    }

    @Test func sequencesGoOnFromTheClock() async throws {
        let (_, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        #expect(record.prepared.sequence == GRDBCommandLedger.start.milliseconds)
        // A clock before 1970 leaves only the rule of the former program.
        let early = try CommandIntent.sample(
            device: "robot-2", issuedAt: Timestamp(milliseconds: -1))
        #expect(try await ledger.accept(early).prepared.sequence == 3)
    }

    @Test func devicesComeFromTheOnlyChannelThereWas() async throws {
        let (database, _) = try folder.openLedger()
        let repository = GRDBDeviceRepository(database)
        let devices = try await repository.devices(in: home)
        #expect(devices.map(\.profile.id.text) == ["robot-1", "robot-2"])
        #expect(devices.map(\.profile.firmware) == ["1.4.2", "1.4.1"])
        #expect(devices.map(\.channel.text) == ["mqtt", "mqtt"])
        #expect(devices.allSatisfy { $0.heardAt == nil })
        let other = try await repository.device(DeviceID("robot-9"), in: HomeID("home-2"))
        #expect(other?.profile.commands.map(\.name.rawValue) == ["return-to-dock"])
    }

    @Test func theNextOpeningOnlyReads() async throws {
        let (_, first) = try folder.openLedger()
        let history = try await first.history(HistoryQuery())
        let writer = try folder.otherProgram()
        try await writer.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        let (_, second) = try folder.openLedger()
        #expect(try await second.history(HistoryQuery()) == history)
        try await writer.writeWithoutTransaction { try $0.rollback() }
    }

    @Test func processesThatOpenItAtOnceBringItUpToDateOnce() async throws {
        let path = folder.ledgerPath
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let ledger = GRDBCommandLedger.onManualTime(try LedgerDatabase.open(at: path))
                    return try await ledger.history(HistoryQuery()).count
                }
            }
            for try await count in group { #expect(count == 8) }
        }
    }

    @Test func aMigratedFileHasTheSchemaOfANewOne() throws {
        let other = try TemporaryFolder()
        for folder in [folder, other] { try folder.openLedger().0.retire() }
        #expect(try schema(of: folder) == schema(of: other))
    }

    @Test func theLogOfALargeMigrationIsEmptied() throws {
        try folder.execute(FormerLedger.manyTransitions)
        let (database, _) = try folder.openLedger()
        #expect(try folder.size(of: folder.ledgerPath + "-wal") == 0)
        database.retire()
    }

    private func schema(of folder: TemporaryFolder) throws -> [String] {
        try folder.otherProgram().read { db in
            try String.fetchAll(
                db,
                sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master "
                    + "ORDER BY type, name")
        }
    }

    private func id(_ number: Int) throws -> CommandID {
        let digits = String(1_000_000_000_000 + number).dropFirst()
        return try #require(CommandID("019ab5e2-4000-7000-8000-\(digits)"))
    }

    private func time(_ milliseconds: Int) -> Timestamp {
        GRDBCommandLedger.start.advanced(by: .milliseconds(milliseconds))
    }
}
