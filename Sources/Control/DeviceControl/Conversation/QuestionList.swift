internal import DeviceDomain
internal import DeviceMessages

/// The commands that one device, or the link for it, must be asked about; one question is under way at
/// a time.
struct QuestionList: Hashable {
    private enum State: Hashable {
        case idle
        case asking
    }

    private var state = State.idle
    private var waiting: [CommandID] = []

    /// Adds a command.
    /// - Returns: whether no query is under way yet, so that the owner must begin one.
    mutating func add(_ id: CommandID) -> Bool {
        waiting.append(id)
        defer { state = .asking }
        return state == .idle
    }

    /// What an answer left out is asked again.
    mutating func addAgain(_ ids: [CommandID]) { waiting += ids }

    /// The commands of the next question, as many as one may ask for; `nil` if there are none,
    /// which ends the asking.
    mutating func next() -> [CommandID]? {
        guard !waiting.isEmpty else {
            state = .idle
            return nil
        }
        let ids = Array(waiting.prefix(CommandSpecification.queryableIDs.upperBound))
        waiting.removeFirst(ids.count)
        return ids
    }
}
