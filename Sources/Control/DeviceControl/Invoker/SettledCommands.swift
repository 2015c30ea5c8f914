internal import DequeModule
internal import DeviceMessages

/// The settled commands that are remembered for callers that come late, up to a number.
struct SettledCommands {
    /// How many.
    static let limit = 1_024

    private var order: Deque<CommandID> = []
    private var members: Set<CommandID> = []

    /// Remembers a command.
    /// - Returns: the one that is forgotten for it.
    mutating func add(_ id: CommandID) -> CommandID? {
        guard members.insert(id).inserted else { return nil }
        order.append(id)
        guard order.count > Self.limit else { return nil }
        let oldest = order.removeFirst()
        members.remove(oldest)
        return oldest
    }
}
