import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Foundation
import Persistence
import TestSupport
import Testing

/// Several processes on one file; each is a connection with a lease of its own.
@Suite struct LedgerProcessesTests {
    private let folder: TemporaryFolder
    private let controller: ControllerID
    private let home: HomeID

    init() throws {
        folder = try TemporaryFolder()
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
    }

    @Test func commandsOfALivingProcessAreLeftAlone() async throws {
        let (alive, first) = try folder.openLedger()
        let (_, second) = try folder.openLedger()
        _ = try await first.accept(.sample())
        #expect(try await second.adoptOrphans(of: controller, in: home).isEmpty)
        alive.retire()
        #expect(try await second.adoptOrphans(of: controller, in: home).count == 1)
    }

    @Test func openCommandsOfADeadProcessAreAdoptedOnce() async throws {
        let accepted = try await deadProcess(states: [.queued, .sent, .running, .unknown, .failed])
        let (_, second) = try folder.openLedger()
        let (_, third) = try folder.openLedger()
        let adopted = try await second.adoptOrphans(of: controller, in: home)
        #expect(adopted == Array(accepted.prefix(3)))
        let records = try await second.records(of: adopted)
        #expect(records.map(\.state) == [.queued, .sent, .running])
        #expect(try await third.adoptOrphans(of: controller, in: home).isEmpty)
        for (id, count) in zip(accepted, [1, 1, 1, 0, 0]) {
            let events = try await third.events(of: id)
            #expect(events.filter { $0.kind == .adopted }.count == count)
        }
    }

    @Test func whatTheLinkKeepsIsAdoptedAlsoWhileItsOutcomeIsUnknown() async throws {
        let (database, first) = try folder.openLedger()
        var ids: [CommandID] = []
        for state in [CommandState.sent, .unknown, .succeeded] {
            let record = try await first.accept(.sample(offline: .desired))
            var progress = record.progress.next(state)
            progress.desiredRevision = 8
            _ = try await first.advance(
                record.id, after: record.progress.step, to: progress, because: [])
            ids.append(record.id)
        }
        database.retire()
        let (_, second) = try folder.openLedger()
        let waiting = try await second.history(HistoryQuery(stage: .waiting))
        #expect(Set(waiting.map(\.id)) == Set(ids.prefix(2)), "it waits for its device")
        let adopted = try await second.adoptOrphans(of: controller, in: home)
        #expect(adopted == Array(ids.prefix(2)))
    }

    @Test func otherControllersAndHomesAreNotAdopted() async throws {
        _ = try await deadProcess(states: [.queued])
        let (_, second) = try folder.openLedger()
        let other = try ControllerID("other")
        #expect(try await second.adoptOrphans(of: other, in: home).isEmpty)
        let elsewhere = try HomeID("home-2")
        #expect(try await second.adoptOrphans(of: controller, in: elsewhere).isEmpty)
        #expect(try await second.adoptOrphans(of: controller, in: home).count == 1)
    }

    @Test func ofTwoProcessesThatAdoptAtOnceOneGetsEachCommand() async throws {
        let accepted = try await deadProcess(states: Array(repeating: .sent, count: 20))
        let (_, second) = try folder.openLedger()
        let (_, third) = try folder.openLedger()
        async let one = second.adoptOrphans(of: controller, in: home)
        async let other = third.adoptOrphans(of: controller, in: home)
        let both = try await one + other
        #expect(both.sorted() == accepted.sorted())
    }

    @Test func twoProcessesThatWriteAtOnceLoseNothing() async throws {
        let (_, first) = try folder.openLedger()
        let (_, second) = try folder.openLedger()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for ledger in [first, second] {
                for _ in 0..<20 {
                    group.addTask {
                        try await ledger.accept(.sample()).prepared.sequence
                    }
                }
            }
            var sequences: Set<Int> = []
            for try await sequence in group { sequences.insert(sequence) }
            let start = GRDBCommandLedger.start.milliseconds
            #expect(sequences == Set(start..<(start + 40)))
        }
    }

    @Test func twoProcessesCanMakeTheSameFile() async throws {
        let path = folder.ledgerPath
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let database = try LedgerDatabase.open(at: path)
                    let ledger = GRDBCommandLedger.onManualTime(database)
                    _ = try await ledger.accept(.sample())
                }
            }
            try await group.waitForAll()
        }
        let (_, ledger) = try folder.openLedger()
        #expect(try await ledger.history(HistoryQuery()).count == 8)
    }

    @Test func aLeaseFileThatIsLeftBehindIsNoSignOfLife() async throws {
        let accepted = try await deadProcess(states: [.sent])
        let leases = folder.ledgerPath + "-processes"
        try Data().write(to: URL(fileURLWithPath: leases + "/0.lease"))
        let (_, second) = try folder.openLedger()
        #expect(try await second.adoptOrphans(of: controller, in: home) == accepted)
    }

    /// Leaves commands behind as a process does that was killed.
    private func deadProcess(states: [CommandState]) async throws -> [CommandID] {
        let (database, ledger) = try folder.openLedger()
        defer { database.retire() }
        var ids: [CommandID] = []
        for state in states {
            let record = try await ledger.accept(.sample())
            if state != .queued { try await ledger.advance(record, to: state) }
            ids.append(record.id)
        }
        return ids
    }
}
