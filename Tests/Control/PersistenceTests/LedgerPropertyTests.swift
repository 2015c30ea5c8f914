import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// Two processes change commands at random: the rows must always be what the log says.
@Suite struct LedgerPropertyTests {
    @Test(arguments: LedgerKind.allCases, [1, 2, 3, 4, 5] as [UInt64])
    func theStateOfEveryCommandIsTheLastOneInItsLog(_ kind: LedgerKind, _ seed: UInt64) async throws
    {
        try await kind.withHouse { house in
            let first = try await house.open().ledger
            // In PostgreSQL one process owns the home.
            let second = kind == .sqlite ? try await house.open().ledger : first
            let ledgers = [first, second]
            var model = LedgerModel()
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<120 {
                let ledger = ledgers[Int.random(in: 0..<2, using: &generator)]
                try await model.step(on: ledger, using: &generator)
            }
            try await model.expectAgreement(with: first)
            try await model.expectAgreement(with: second)
        }
    }
}

/// What a ledger must hold: the events of each command, and its progress.
private struct LedgerModel {
    private var records: [CommandRecord] = []
    private var former: [CommandID: CommandProgress] = [:]
    private var events: [CommandID: [LedgerEvent]] = [:]

    mutating func step(
        on ledger: any TestedLedger, using generator: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: try await accept(on: ledger, using: &generator)
        case 1: try await append(on: ledger, using: &generator)
        default: try await advance(on: ledger, using: &generator)
        }
    }

    func expectAgreement(with ledger: any TestedLedger) async throws {
        let history = try await ledger.history(HistoryQuery(limit: .max))
        #expect(history == records.reversed())
        #expect(try await ledger.verify().problems.isEmpty)
        for record in history {
            var log = try await ledger.events(of: record.id)
            log[0].detail = [:]
            #expect(log == events[record.id])
            #expect(log.compactMap(\.state).last == record.state)
            let changes = log.filter { $0.state != nil }.count
            #expect(changes == record.progress.step)
        }
    }

    private mutating func accept(
        on ledger: any TestedLedger, using generator: inout SeededGenerator
    ) async throws {
        let count = Int.random(in: 1...4, using: &generator)
        let intents = try (0..<count).map { _ in
            try CommandIntent.sample(device: "robot-\(Int.random(in: 1...2, using: &generator))")
        }
        for record in try await ledger.accept(intents.map { CommandDraft($0, cause: "made") }) {
            records.append(record)
            events[record.id] = [
                LedgerEvent(
                    .created, of: record.id, at: GRDBCommandLedger.start, cause: "made",
                    state: .queued)
            ]
        }
    }

    private mutating func append(
        on ledger: any TestedLedger, using generator: inout SeededGenerator
    ) async throws {
        guard let record = records.randomElement(using: &generator) else { return }
        let event = LedgerEvent(
            .receipt, of: record.id, at: GRDBCommandLedger.start,
            raw: [UInt8.random(in: 0...255, using: &generator)])
        try await ledger.append([event])
        events[record.id]?.append(event)
    }

    /// One change in three comes too late.
    private mutating func advance(
        on ledger: any TestedLedger, using generator: inout SeededGenerator
    ) async throws {
        guard let index = records.indices.randomElement(using: &generator),
            let state = CommandState.allCases.randomElement(using: &generator)
        else { return }
        let record = records[index]
        let isLate = Int.random(in: 0..<3, using: &generator) == 0
        let old = isLate ? former[record.id] ?? record.progress : record.progress
        let holds = old.step == record.progress.step
        let event = LedgerEvent(
            .deadline, of: record.id, at: GRDBCommandLedger.start, cause: "\(state)",
            state: holds ? state : nil)
        let verdict = try await ledger.advance(
            record.id, after: old.step, to: old.next(state), because: [event])
        // In PostgreSQL a change that leads to what holds already is one that was made before.
        let isRepeated = ledger is PostgresCommandLedger && old.next(state) == record.progress
        #expect(verdict == (holds || isRepeated ? .advanced : .overtaken(record)))
        events[record.id]?.append(event)
        guard holds else { return }
        former[record.id] = record.progress
        records[index].progress = old.next(state)
    }
}
