internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// The rows of an ``InMemoryCommandLedger``.
struct InMemoryLedgerState: Sendable {
    struct Entry {
        var record: CommandRecord
        var owner: Int
        var filed: [CommandEvidence] = []
    }

    var entries: [CommandID: Entry] = [:]
    var log: [LedgerEvent] = []
    var keepsCommands = false
    /// The last revisions of kept settings that were given out; `nil` where nobody counts them.
    var revisions: [DeviceID: Int]?
    /// The processes that own no home.
    var guests: Set<Int> = []
    var failuresOfAccept: [LedgerError] = []
    var failuresOfAdvance: [LedgerError] = []
    var failuresOfRead: [LedgerError] = []
    private var order: [CommandID] = []
    private var lastSequences: [Sibling: Int] = [:]
    private var living: [Int: StreamSource<CommandRecord>] = [:]
    private var processes = 0

    /// Commands that share a sequence.
    private struct Sibling: Hashable {
        let controller: ControllerID
        let home: HomeID
        let device: DeviceID

        init(_ intent: CommandIntent) {
            controller = intent.controller
            home = intent.home
            device = intent.device
        }
    }

    mutating func begin(_ source: StreamSource<CommandRecord>) -> Int {
        processes += 1
        living[processes] = source
        return processes
    }

    mutating func end(_ process: Int) { living.removeValue(forKey: process)?.finish() }

    // MARK: Changes

    mutating func accept(_ drafts: [CommandDraft], by process: Int) throws(LedgerError)
        -> [CommandRecord]
    {
        let before = self
        do throws(LedgerError) {
            var records: [CommandRecord] = []
            for draft in drafts { records.append(try accept(draft, by: process)) }
            for record in records { announce(record) }
            return records
        } catch {
            self = before
            throw error
        }
    }

    private mutating func accept(_ draft: CommandDraft, by process: Int) throws(LedgerError)
        -> CommandRecord
    {
        let intent = draft.intent
        guard entries[intent.id] == nil else {
            throw LedgerError(.conflict, "the ledger has \(intent.id) already")
        }
        let last = lastSequences[Sibling(intent)] ?? 0
        let sequence = max(last + 1, intent.issuedAt.milliseconds)
        lastSequences[Sibling(intent)] = sequence
        let record = CommandRecord(
            prepared: try draft.prepared(sequence: sequence), progress: draft.opening)
        // Nobody follows yet what waits for the owner of the home.
        entries[intent.id] = Entry(record: record, owner: draft.isForOwner ? 0 : process)
        log.append(LedgerEvent(entering: record, from: draft, at: intent.issuedAt))
        if !record.state.isSettled { supersede(for: intent) }
        order.append(intent.id)
        return record
    }

    private mutating func supersede(for later: CommandIntent) {
        guard later.maySupersede else { return }
        for id in order {
            guard let record = entries[id]?.record, record.progress.isWaiting,
                later.supersedes(record.intent)
            else { continue }
            let progress = record.progress.superseded(by: later, at: later.issuedAt)
            withdraw(id, to: progress, for: later.id, at: later.issuedAt)
        }
    }

    mutating func withdraw(_ id: CommandID) -> CommandRecord? {
        guard let record = entries[id]?.record else { return nil }
        if record.progress.isWaiting {
            let time = record.intent.issuedAt
            withdraw(id, to: record.progress.cancelled(at: time), at: time)
        }
        return entries[id]?.record
    }

    private mutating func withdraw(
        _ id: CommandID, to progress: CommandProgress, for later: CommandID? = nil,
        at time: Timestamp
    ) {
        log.append(LedgerEvent(withdrawing: id, to: progress, for: later, at: time))
        entries[id]?.record.progress = progress
        if let record = entries[id]?.record { announce(record) }
    }

    func withdrawals(after place: LedgerPlace?) -> Withdrawals {
        let news = log.dropFirst(place?.number ?? log.count)
            .filter { $0.kind == .withdrawn || $0.kind == .putAway }
        return Withdrawals(
            records: news.compactMap { entries[$0.command]?.record }, end: LedgerPlace(log.count))
    }

    mutating func advance(_ changes: [CommandChange]) throws(LedgerError) -> [AdvanceVerdict] {
        if let missing = changes.first(where: { entries[$0.command] == nil }) {
            throw LedgerError(.conflict, "the ledger has no command \(missing.command)")
        }
        return changes.compactMap { change in
            guard let entry = entries[change.command] else { return nil }
            let holds = entry.record.progress.step == change.step
            // A change of the channel that did not happen is not told.
            if holds || change.rerouted == nil { log += change.events }
            guard holds else { return .overtaken(entry.record) }
            let prepared = change.rerouted ?? entry.record.prepared
            entries[change.command]?.record = CommandRecord(
                prepared: prepared, progress: change.progress, place: entry.record.place)
            if let record = entries[change.command]?.record { announce(record) }
            return .advanced
        }
    }

    mutating func file(_ evidence: CommandEvidence, at time: Timestamp) -> EvidenceFiling {
        guard let entry = entries[evidence.id], entry.record.intent.device == evidence.device else {
            return EvidenceFiling(record: entries[evidence.id]?.record, isNew: false)
        }
        let isNew = !entry.filed.contains { $0.n == evidence.n && $0.stage == evidence.stage }
        if isNew {
            entries[evidence.id]?.filed.append(evidence)
            log.append(LedgerEvent(evidence, at: time))
        }
        return EvidenceFiling(record: entry.record, isNew: isNew)
    }

    mutating func adoptOrphans(of controller: ControllerID, in home: HomeID, by process: Int)
        -> [CommandID]
    {
        let orphans = order.filter { id in
            guard let entry = entries[id] else { return false }
            let intent = entry.record.intent
            return living[entry.owner] == nil && entry.record.progress.isOpen
                && intent.controller == controller && intent.home == home
        }
        for id in orphans {
            entries[id]?.owner = process
            if let adopted = entries[id]?.record.progress.adopted {
                entries[id]?.record.progress = adopted
            }
            log.append(
                LedgerEvent(
                    .adopted, of: id, at: entries[id]?.record.intent.issuedAt ?? id.time,
                    cause: "the process that followed the command has ended"))
        }
        return orphans
    }

    func history(_ query: HistoryQuery) -> [CommandRecord] {
        let all = order.reversed().compactMap { entries[$0]?.record }
        let asked = all.filter {
            query.includes($0.intent)
                && query.stage.includes($0.progress)
                && query.states?.contains($0.state) != false
        }
        return Array(asked.prefix(query.limit))
    }

    private func announce(_ record: CommandRecord) {
        for source in living.values { source.send(record) }
    }
}

extension CommandDraft {
    fileprivate func prepared(sequence: Int) throws(LedgerError) -> PreparedCommand {
        do throws(CommunicationError) {
            return try prepare(intent, sequence)
        } catch {
            throw LedgerError(.inexpressible, error.message)
        }
    }
}

extension HistoryQuery {
    fileprivate func includes(_ intent: CommandIntent) -> Bool {
        controller.map { $0 == intent.controller } ?? true
            && home.map { $0 == intent.home } ?? true
            && devices.map { $0.contains(intent.device) } ?? true
            && cause.map { $0 == intent.cause } ?? true
            && since.map { $0 <= intent.issuedAt } ?? true
            && idEnding.map(intent.id.text.filter { $0 != "-" }.hasSuffix) ?? true
    }
}
