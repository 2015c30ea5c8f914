package import Connectivity
package import DeviceControl
package import DeviceDomain
package import DeviceMessages
private import MQTTClient

/// A ledger in memory, for tests: several processes on one store, failures on demand, and a
/// stream of everything that was written.
package final class InMemoryCommandLedger: CommandLedger {
    /// Every record that was written, in order.
    package let changes: BoundedStream<CommandRecord>
    private let store: InMemoryLedgerStore
    private let process: Int

    /// The first process of a new store.
    package convenience init() { self.init(store: InMemoryLedgerStore()) }

    private init(store: InMemoryLedgerStore) {
        self.store = store
        let (stream, source) = BoundedStream<CommandRecord>.make(.dropNewest(limit: 10_000))
        changes = stream
        process = store.state.withLock(of: store) { $0.begin(source) }
    }

    /// Another living process of the same store.
    package func anotherProcess() -> InMemoryCommandLedger { InMemoryCommandLedger(store: store) }

    /// Ends this process; what it owns can be adopted.
    package func die() { store.state.withLock(of: store) { $0.end(process) } }

    /// Lets the next acceptance fail.
    package func failNextAccept(_ error: LedgerError) {
        store.state.withLock(of: store) { $0.failuresOfAccept.append(error) }
    }

    /// Lets the next change of a command fail.
    package func failNextAdvance(_ error: LedgerError) {
        store.state.withLock(of: store) { $0.failuresOfAdvance.append(error) }
    }

    /// Everything that was noted as wrong.
    package var anomalies: [CommandAnomaly] { store.state.withLock(of: store) { $0.anomalies } }

    /// The acks that were stored with a command.
    package func acks(of id: CommandID) -> [AckMessage] {
        store.state.withLock(of: store) { $0.entries[id]?.acks ?? [] }
    }

    package func accept(
        _ intent: CommandIntent, opening progress: CommandProgress
    ) async throws(LedgerError) -> CommandRecord {
        try store.state.withLock(of: store) { state throws(LedgerError) in
            if let error = state.failuresOfAccept.popLast() { throw error }
            return try state.accept(intent, progress, by: process)
        }
    }

    package func advance(
        _ id: CommandID, from old: CommandProgress, to new: CommandProgress,
        because ack: AckMessage?
    ) async throws(LedgerError) -> AdvanceVerdict {
        try store.state.withLock(of: store) { state throws(LedgerError) in
            if let error = state.failuresOfAdvance.popLast() { throw error }
            return try state.advance(id, from: old, to: new, because: ack)
        }
    }

    package func file(_ ack: AckMessage) async throws(LedgerError) -> AckFiling {
        store.state.withLock(of: store) { $0.file(ack) }
    }

    package func note(_ anomaly: CommandAnomaly) async throws(LedgerError) {
        store.state.withLock(of: store) { $0.anomalies.append(anomaly) }
    }

    package func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]
    {
        store.state.withLock(of: store) { $0.adoptOrphans(of: controller, in: home, by: process) }
    }

    package func record(of id: CommandID) async throws(LedgerError) -> CommandRecord? {
        store.state.withLock(of: store) { $0.entries[id]?.record }
    }

    package func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord] {
        store.state.withLock(of: store) { $0.history(query) }
    }
}

/// What the processes of an ``InMemoryCommandLedger`` share.
private final class InMemoryLedgerStore: Sendable {
    let state = Guarded(InMemoryLedgerState())
}

/// The rows of an ``InMemoryCommandLedger``.
private struct InMemoryLedgerState: Sendable {
    struct Entry {
        var record: CommandRecord
        var owner: Int
        var acks: [AckMessage] = []

        mutating func store(_ ack: AckMessage) -> Bool {
            guard !acks.contains(where: { $0.n == ack.n && $0.stage == ack.stage }) else {
                return false
            }
            acks.append(ack)
            return true
        }
    }

    var entries: [CommandID: Entry] = [:]
    var anomalies: [CommandAnomaly] = []
    var failuresOfAccept: [LedgerError] = []
    var failuresOfAdvance: [LedgerError] = []
    private var order: [CommandID] = []
    private var living: [Int: StreamSource<CommandRecord>] = [:]
    private var processes = 0

    mutating func begin(_ source: StreamSource<CommandRecord>) -> Int {
        processes += 1
        living[processes] = source
        return processes
    }

    mutating func end(_ process: Int) { living.removeValue(forKey: process)?.finish() }

    mutating func accept(_ intent: CommandIntent, _ progress: CommandProgress, by process: Int)
        throws(LedgerError) -> CommandRecord
    {
        guard entries[intent.id] == nil else {
            throw LedgerError(.conflict, "the ledger has \(intent.id) already")
        }
        let sequence = 1 + entries.values.filter { $0.record.intent.isSibling(of: intent) }.count
        let record = CommandRecord(
            intent: intent, sequence: sequence, payload: intent.payload(sequence: sequence),
            progress: progress)
        entries[intent.id] = Entry(record: record, owner: process)
        order.append(intent.id)
        announce(record)
        return record
    }

    mutating func advance(
        _ id: CommandID, from old: CommandProgress, to new: CommandProgress,
        because ack: AckMessage?
    ) throws(LedgerError) -> AdvanceVerdict {
        guard var entry = entries[id] else {
            throw LedgerError(.conflict, "the ledger has no command \(id)")
        }
        if let ack { _ = entry.store(ack) }
        guard entry.record.progress.step == old.step else {
            entries[id] = entry
            return .overtaken(entry.record)
        }
        entry.record.progress = new
        entries[id] = entry
        announce(entry.record)
        return .advanced
    }

    mutating func file(_ ack: AckMessage) -> AckFiling {
        guard var entry = entries[ack.id], entry.record.intent.device == ack.device else {
            return AckFiling(record: entries[ack.id]?.record, isNew: false)
        }
        let isNew = entry.store(ack)
        entries[ack.id] = entry
        return AckFiling(record: entry.record, isNew: isNew)
    }

    mutating func adoptOrphans(of controller: ControllerID, in home: HomeID, by process: Int)
        -> [CommandRecord]
    {
        let orphans = order.filter { id in
            guard let entry = entries[id] else { return false }
            let intent = entry.record.intent
            return living[entry.owner] == nil && !entry.record.state.isSettled
                && intent.controller == controller && intent.home == home
        }
        for id in orphans { entries[id]?.owner = process }
        return orphans.compactMap { entries[$0]?.record }
    }

    func history(_ query: HistoryQuery) -> [CommandRecord] {
        let all = order.reversed().compactMap { entries[$0]?.record }
        return Array(all.filter { query.includes($0.intent) }.prefix(query.limit))
    }

    private func announce(_ record: CommandRecord) {
        for source in living.values { source.send(record) }
    }
}

extension CommandIntent {
    fileprivate func isSibling(of other: CommandIntent) -> Bool {
        controller == other.controller && home == other.home && device == other.device
    }
}

extension HistoryQuery {
    fileprivate func includes(_ intent: CommandIntent) -> Bool {
        intent.purpose == .request && controller.map { $0 == intent.controller } ?? true
            && home.map { $0 == intent.home } ?? true
            && device.map { $0 == intent.device } ?? true
    }
}
