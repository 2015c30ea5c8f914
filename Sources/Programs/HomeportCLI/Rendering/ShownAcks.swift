import Homeport

/// Which acknowledgements `watch` shows: those of commands, not those of the controller's own status
/// queries (`query-commands`).
///
/// Queries of other processes of the controller come on the same topic. They are in no ledger, and
/// only the final acknowledgement tells them from commands of another ledger. So the `accepted` of an
/// unknown command is held back until the next acknowledgement of the same command.
struct ShownAcks: Sendable {
    /// Acknowledgements that are held back, at most; the oldest give way.
    private static let limit = 1_000

    private var held: [CommandID: DeviceChange] = [:]
    private var order: [CommandID] = []

    /// Takes in an acknowledgement.
    /// - Parameter command: the command's name; `nil` where the ledger does not have it.
    /// - Returns: what is shown now, in order.
    mutating func shown(
        _ change: DeviceChange, _ ack: CommandEvidence, command: CommandName?
    ) -> [DeviceChange] {
        if command != nil { return [change] }
        if ack.stage == .accepted {
            hold(change, ack.id)
            return []
        }
        let former = release(ack.id)
        if ack.answersStatusQuery { return [] }
        return [former, change].compactMap(\.self)
    }

    private mutating func hold(_ change: DeviceChange, _ id: CommandID) {
        guard held.updateValue(change, forKey: id) == nil else { return }
        order.append(id)
        if order.count > Self.limit { held[order.removeFirst()] = nil }
    }

    private mutating func release(_ id: CommandID) -> DeviceChange? {
        guard let change = held.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        return change
    }
}

extension CommandEvidence {
    /// Whether the result has the form that PROTOCOL section 5 gives the answer to `query-commands`.
    fileprivate var answersStatusQuery: Bool {
        guard isFinal, let entries = result["commands"]?.array else { return false }
        return entries.allSatisfy { $0.object?["id"] != nil && $0.object?["outcome"] != nil }
    }
}
