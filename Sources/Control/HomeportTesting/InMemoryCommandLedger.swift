internal import Basics
public import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages

/// A ledger in memory: several processes on one store, failures on demand, and a stream of
/// everything that was written.
public final class InMemoryCommandLedger: CommandLedger {
    /// Every record that was written, in order; at most 10,000 wait, later ones are dropped.
    public let changes: BoundedStream<CommandRecord>
    private let store: InMemoryLedgerStore
    private let process: Int

    /// The first process of a new store.
    public convenience init() { self.init(store: InMemoryLedgerStore()) }

    private init(store: InMemoryLedgerStore) {
        self.store = store
        let (stream, source) = BoundedStream<CommandRecord>.make(.dropNewest(limit: 10_000))
        changes = stream
        process = store.state.withLock { $0.begin(source) }
    }

    /// Another running process of the same store.
    public func anotherProcess() -> InMemoryCommandLedger { InMemoryCommandLedger(store: store) }

    /// Ends this process; what it owns can be adopted.
    public func die() { store.state.withLock { $0.end(process) } }

    public var letsCommandsLeave: Bool { !store.state.withLock { $0.keepsCommands } }

    public func isOfOthers(_ home: HomeID, of controller: ControllerID) -> Bool {
        store.state.withLock { $0.guests.contains(process) }
    }

    /// Lets other processes send the commands of every home, but not this one.
    package func leaveHomesToOthers() {
        store.state.withLock { _ = $0.guests.insert(process) }
    }

    /// Lets the ledger count the revisions of kept settings.
    package func countRevisions() { store.state.withLock { $0.revisions = [:] } }

    public func allotRevision(
        ofSettingsFor device: DeviceID, in home: HomeID, atLeast least: Int
    ) async throws(LedgerError) -> Int {
        store.state.withLock { state in
            guard let last = state.revisions?[device, default: 0] else { return least }
            state.revisions?[device] = max(last + 1, least)
            return max(last + 1, least)
        }
    }

    /// Lets commands leave no more, or again.
    package func keepCommands(_ keeps: Bool) { store.state.withLock { $0.keepsCommands = keeps } }

    /// Lets the next acceptance fail.
    public func failNextAccept(_ error: LedgerError) {
        store.state.withLock { $0.failuresOfAccept.append(error) }
    }

    /// Lets the next change of a command fail.
    public func failNextAdvance(_ error: LedgerError) {
        store.state.withLock { $0.failuresOfAdvance.append(error) }
    }

    /// Lets the next reading of a command fail.
    public func failNextRead(_ error: LedgerError) {
        store.state.withLock { $0.failuresOfRead.append(error) }
    }

    /// Every event of every command, in the order in which it was written.
    public var log: [LedgerEvent] { store.state.withLock { $0.log } }

    /// The violations of the protocol that were recorded, in order.
    public var anomalies: [LedgerEvent] { log.filter { $0.kind == .anomaly } }

    /// The evidence that was stored with a command without changing it.
    public func filed(of id: CommandID) -> [CommandEvidence] {
        store.state.withLock { $0.entries[id]?.filed ?? [] }
    }

    // MARK: CommandLedger

    public func accept(_ drafts: [CommandDraft]) async throws(LedgerError) -> [CommandRecord] {
        try store.state.withLock { state throws(LedgerError) in
            if let error = state.failuresOfAccept.popLast() { throw error }
            return try state.accept(drafts, by: process)
        }
    }

    public func advance(_ changes: [CommandChange]) async throws(LedgerError) -> [AdvanceVerdict] {
        try store.state.withLock { state throws(LedgerError) in
            if let error = state.failuresOfAdvance.popLast() { throw error }
            return try state.advance(changes)
        }
    }

    public func withdraw(_ id: CommandID) async throws(LedgerError) -> CommandRecord? {
        store.state.withLock { $0.withdraw(id) }
    }

    public func withdrawals(after place: LedgerPlace?) async throws(LedgerError) -> Withdrawals {
        store.state.withLock { $0.withdrawals(after: place) }
    }

    public func append(_ events: [LedgerEvent]) async throws(LedgerError) {
        store.state.withLock { $0.log += events }
    }

    public func file(_ evidence: CommandEvidence, at time: Timestamp) async throws(LedgerError)
        -> EvidenceFiling
    {
        store.state.withLock { $0.file(evidence, at: time) }
    }

    public func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandID]
    {
        store.state.withLock { $0.adoptOrphans(of: controller, in: home, by: process) }
    }

    public func record(of id: CommandID) async throws(LedgerError) -> CommandRecord? {
        try store.state.withLock { state throws(LedgerError) in
            if let error = state.failuresOfRead.popLast() { throw error }
            return state.entries[id]?.record
        }
    }

    public func records(of ids: [CommandID]) async throws(LedgerError) -> [CommandRecord] {
        try store.state.withLock { state throws(LedgerError) in
            if let error = state.failuresOfRead.popLast() { throw error }
            return ids.compactMap { state.entries[$0]?.record }
        }
    }

    public func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord] {
        store.state.withLock { $0.history(query) }
    }

    public func events(of id: CommandID) async throws(LedgerError) -> [LedgerEvent] {
        log.filter { $0.command == id }
    }
}

/// What the processes of an ``InMemoryCommandLedger`` share.
private final class InMemoryLedgerStore: Sendable {
    let state = Guarded(InMemoryLedgerState())
}
