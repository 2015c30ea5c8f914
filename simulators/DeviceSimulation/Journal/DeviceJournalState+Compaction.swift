import DeviceDomain
import DeviceMessages

extension DeviceJournalState {
    /// The shortest list of records that folds to this state, in an order that depends on the
    /// state alone.
    package var records: [JournalRecord] {
        worldRecords + watermarkRecords + promiseRecords + sequenceRecords + entryRecords
    }

    private var worldRecords: [JournalRecord] {
        var records: [JournalRecord] = []
        if let lostBefore { records.append(.lost(before: lostBefore)) }
        if let state { records.append(.state(state)) }
        if let committedClaim { records.append(.committed(committedClaim)) }
        if !memory.isEmpty { records.append(.memory(memory)) }
        return records
    }

    private var watermarkRecords: [JournalRecord] {
        let keys = watermarks.map { CommandKey(controller: $0.key, id: $0.value) }
        return keys.isEmpty ? [] : [.evicted(keys.sorted())]
    }

    private var promiseRecords: [JournalRecord] {
        promises.sorted { $0.key < $1.key }.flatMap { controller, ids in
            Dictionary(grouping: ids.keys) { ids[$0] }
                .compactMap { at, group in at.map { ($0, group.sorted()) } }
                .sorted { $0.0 < $1.0 }
                .map { .promised(controller, $0.1, at: $0.0) }
        }
    }

    private var sequenceRecords: [JournalRecord] {
        sequences.sorted { $0.key < $1.key }.map { .sequenced($0.key, $0.value) }
    }

    private var entryRecords: [JournalRecord] {
        entries.values.sorted { $0.command < $1.command }.map(JournalRecord.entered)
    }
}

extension CommandKey: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.controller, left.id) < (right.controller, right.id)
    }
}

extension SequenceKey: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.setting.rawValue, left.controller) < (right.setting.rawValue, right.controller)
    }
}
