package import DeviceDomain
package import DeviceMessages

/// Everything that a device keeps across restarts: the fold of its ``JournalRecord``s.
///
/// A pure value: the same records give the same state, and ``records`` gives a short list of
/// records that fold to it again, so that compacting a journal is rewriting its fold.
package struct DeviceJournalState: Hashable, Sendable {
    /// The commands that are remembered.
    package internal(set) var entries: [CommandKey: JournalEntry] = [:]
    /// How many entries each controller has.
    package internal(set) var entryCounts: [ControllerID: Int] = [:]
    /// The newest id of each controller whose entry was evicted.
    package internal(set) var watermarks: [ControllerID: CommandID] = [:]
    /// The ids that were answered with `never`, by controller, with the time of the answer.
    package internal(set) var promises: [ControllerID: [CommandID: Timestamp]] = [:]
    /// The highest sequence number that was applied.
    package internal(set) var sequences: [SequenceKey: Int] = [:]
    /// The newest revision of the controlled state; `nil` for a device that never ran.
    package internal(set) var state: RecordedState?
    /// The parts of the simulated world that survive besides the state, as ``DeviceBehaviour/memory`` writes them.
    package internal(set) var memory: [UInt8] = []
    /// The newest claim that was committed.
    package internal(set) var committedClaim: ClaimNonce?
    /// Commands that were created before this may have been recorded in a record that was lost;
    /// `nil` if none ever was.
    package internal(set) var lostBefore: Timestamp?

    package init() {}

    /// The record of a device that never ran.
    package static let empty = DeviceJournalState()

    /// The record of a device whose earlier record is lost, or was never kept: of commands that
    /// were created before `moment` (wire clock) it can only say that they are forgotten.
    package static func startingAnew(at moment: Timestamp) -> DeviceJournalState {
        var state = DeviceJournalState()
        state.apply(.lost(before: moment))
        return state
    }
}

extension DeviceJournalState {
    /// Takes in one record.
    package mutating func apply(_ record: JournalRecord) {
        switch record {
        case .entered(let entry): enter(entry)
        case .started(let command, let executions): entries[command]?.executions = executions
        case .progressed(let command, let ack): entries[command]?.ack = ack
        case .finished(let finals, let newState): finish(finals, newState)
        case .confirmed(let command): entries[command]?.isConfirmed = true
        case .evicted(let commands): for command in commands { evict(command) }
        case .promised(let controller, let ids, let at): promise(controller, ids, at)
        case .released(let controller, let ids): release(controller, ids)
        case .sequenced(let key, let sequence): sequences[key] = sequence
        case .state(let newState): state = newState
        case .memory(let newMemory): memory = newMemory
        case .committed(let claim): committedClaim = claim
        case .lost(let moment): lostBefore = moment
        }
    }

    private mutating func enter(_ entry: JournalEntry) {
        if entries.updateValue(entry, forKey: entry.command) == nil {
            entryCounts[entry.command.controller, default: 0] += 1
        }
    }

    private mutating func finish(_ finals: [FinishedCommand], _ newState: RecordedState?) {
        for final in finals { entries[final.command]?.ack = final.ack }
        if let newState { state = newState }
    }

    private mutating func evict(_ command: CommandKey) {
        if entries.removeValue(forKey: command) != nil {
            let count = entryCounts[command.controller, default: 0] - 1
            entryCounts[command.controller] = count > 0 ? count : nil
        }
        let watermark = watermarks[command.controller] ?? command.id
        watermarks[command.controller] = max(watermark, command.id)
    }

    private mutating func promise(_ controller: ControllerID, _ ids: [CommandID], _ at: Timestamp) {
        for id in ids { promises[controller, default: [:]][id] = at }
    }

    private mutating func release(_ controller: ControllerID, _ ids: [CommandID]) {
        for id in ids { promises[controller]?[id] = nil }
        if promises[controller]?.isEmpty == true { promises[controller] = nil }
    }
}
