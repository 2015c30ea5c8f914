import DeviceDomain
import DeviceMessages

/// The answer to a query, up to the size that is allowed.
struct QueryAnswer: Hashable, Sendable {
    /// What the record says of one command.
    enum Outcome: Hashable, Sendable {
        /// Its latest ack is there.
        case known(JournalEntry)
        /// It never came, and will be refused if it does.
        case never
        /// It may have come.
        case forgotten
    }

    /// The largest answer in bytes, the members of the ack around it included.
    static let limit = 60 * 1024
    private static let envelope = 1024

    /// The items of the answer.
    private(set) var items: [JSONValue] = []
    /// The commands that it calls `never`, and no earlier answer has.
    private(set) var promised: [CommandID] = []
    private var size = envelope

    /// What a record says of commands of one controller, as many as there is room for.
    init(about ids: [CommandID], of controller: ControllerID, from journal: DeviceJournalState) {
        for id in ids {
            let key = CommandKey(controller: controller, id: id)
            let outcome = journal.outcome(of: key, promisedNow: promised)
            guard append(id, outcome) else { break }
            if outcome == .never, !journal.isPromised(key), !promised.contains(id) {
                promised.append(id)
            }
        }
    }

    /// Adds what is known of one command.
    /// - Returns: whether there was room; if not, the rest has to be left out as well.
    private mutating func append(_ id: CommandID, _ outcome: Outcome) -> Bool {
        let item = Self.item(id, outcome)
        let length = JSONWriter.write(item).count + 1
        guard size + length <= Self.limit else { return false }
        items.append(item)
        size += length
        return true
    }

    private static func item(_ id: CommandID, _ outcome: Outcome) -> JSONValue {
        switch outcome {
        case .known(let entry):
            ["id": .string(id.text), "outcome": "known", "ack": ackJSON(of: entry)]
        case .never: ["id": .string(id.text), "outcome": "never"]
        case .forgotten: ["id": .string(id.text), "outcome": "forgotten"]
        }
    }

    /// The stored ack; that of a query itself with an empty result.
    private static func ackJSON(of entry: JournalEntry) -> JSONValue {
        var json = entry.ack.json
        if json["result"]?.object?["commands"] != nil { json["result"] = [:] }
        return .object(json)
    }
}

extension DeviceJournalState {
    /// What it says of a command.
    /// - Parameter promisedNow: the ids that the same answer calls `never`.
    fileprivate func outcome(of key: CommandKey, promisedNow: [CommandID]) -> QueryAnswer.Outcome {
        if let entry = entries[key] { return .known(entry) }
        if isPromised(key) || promisedNow.contains(key.id) { return .never }
        let promises = (promises[key.controller]?.count ?? 0) + promisedNow.count
        guard promises < RecordLimits.promisesToOneController, isComplete(for: key) else {
            return .forgotten
        }
        return .never
    }

    /// Whether the command was called `never` before.
    func isPromised(_ key: CommandKey) -> Bool {
        promises[key.controller]?[key.id] != nil
    }

    /// Whether the record would have the command if it had come.
    private func isComplete(for key: CommandKey) -> Bool {
        if let watermark = watermarks[key.controller], key.id <= watermark { return false }
        if let lostBefore = lostBefore, key.id.time <= lostBefore { return false }
        return true
    }
}
