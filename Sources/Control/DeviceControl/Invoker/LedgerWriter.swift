internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Writes what happens to commands into the ledger, counts what it did not take, and bounds what a faulty
/// device can make it write.
final class LedgerWriter {
    /// How many anomalies one process records, so that a faulty device does not fill the ledger.
    static let notedAnomalies = 1_000

    let ledger: any CommandLedger
    /// What could not be written, or was not to be.
    private(set) var counters = InvokerCounters()
    private let clock: any CommandClock
    private var anomaliesNoted = 0

    init(_ ledger: any CommandLedger, clock: any CommandClock) {
        self.ledger = ledger
        self.clock = clock
    }

    /// The ledger has failed; what it was to do is done again, or left out.
    func countFailure(_ count: Int = 1) { counters.ledgerFailures += count }

    // MARK: Progress

    /// Writes what has changed.
    /// - Returns: the commands whose actions no longer hold.
    func record(_ reactions: [Reaction]) async -> Set<CommandID> {
        let recorded = reactions.filter(\.isToBeRecorded)
        let changes = recorded.compactMap { reaction in
            reaction.command.change.map { (reaction: reaction, change: $0) }
        }
        guard !changes.isEmpty else { return [] }
        do {
            let verdicts = try await ledger.advance(changes.map(\.change))
            let overtaken = zip(changes, verdicts).filter {
                !take($1, on: $0.change, by: $0.reaction)
            }
            return Set(overtaken.map(\.0.change.command))
        } catch {
            countFailure(changes.count)
            for (reaction, _) in changes { reaction.command.ledgerFailure = error }
            return takeBack(recorded, because: error)
        }
    }

    /// - Returns: whether the actions that follow the change still hold.
    private func take(_ verdict: AdvanceVerdict, on change: CommandChange, by reaction: Reaction)
        -> Bool
    {
        let command = reaction.command
        command.note(written: change.events.count)
        command.ledgerFailure = nil
        switch verdict {
        case .advanced:
            command.note(recorded: change.progress.step)
            return true
        case .overtaken(let winner):
            command.take(winner)
            command.lifecycle.yield(to: winner.progress)
            // What a device told holds for the progress of the other process too.
            command.events += reaction.events.filter(\.isTold)
            return false
        }
    }

    /// - Returns: the commands that are not sent, because that is not in the ledger: they come back to the
    ///   queue.
    private func takeBack(_ reactions: [Reaction], because error: LedgerError) -> Set<CommandID> {
        let unsent = reactions.filter(\.getsInLine).map(\.command)
        for command in unsent { command.events.append(.sendEnded(.neverLeft(error.message))) }
        return Set(unsent.map(\.id))
    }

    // MARK: Notes

    /// Writes down what changes no progress. What comes with a change of the progress is written with it.
    func writeDown(_ reactions: [Reaction]) async {
        let notes = reactions.filter { $0.hasNotes && !$0.isToBeRecorded }
            .map { (command: $0.command, log: $0.command.unwritten) }
        do throws(LedgerError) {
            let log = notes.flatMap(\.log)
            if !log.isEmpty { try await ledger.append(log) }
            for note in notes { note.command.note(written: note.log.count) }
            for evidence in reactions.flatMap(\.evidence) {
                _ = try await ledger.file(evidence, at: clock.now.wall)
            }
        } catch {
            countFailure()
        }
    }

    /// Writes down that a device is asked.
    func noteQuestion(about ids: [CommandID]) async {
        let now = clock.now.wall
        do {
            try await ledger.append(
                ids.map {
                    LedgerEvent(.asked, of: $0, at: now, cause: "asked what became of it")
                })
        } catch {
            countFailure()
        }
    }

    /// Writes down a violation of the protocol, unless there were too many.
    func note(_ anomaly: CommandAnomaly) async {
        if anomaly.kind == .foreignDevice { counters.foreignAcks += 1 }
        if anomaly.kind == .unknownCommand { counters.unknownAcks += 1 }
        guard anomaliesNoted < Self.notedAnomalies else {
            counters.unnotedAnomalies += 1
            return
        }
        anomaliesNoted += 1
        do {
            try await ledger.append([anomaly.logged(at: clock.now.wall)])
        } catch {
            counters.unnotedAnomalies += 1
        }
    }
}

extension LifecycleEvent {
    /// Whether it is what a device said of the command.
    fileprivate var isTold: Bool {
        switch self {
        case .evidence, .answer(.told): true
        case .enqueued, .adopted, .reach, .overruled, .withdrawn, .settings, .applied,
            .sendEnded, .boot, .state, .answer, .wake:
            false
        }
    }
}
