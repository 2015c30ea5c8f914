internal import Connectivity
internal import DeviceMessages

/// The commands that the invoker follows, by their id and by the conversation that they travel by.
struct TrackedCommands {
    private var commands: [CommandID: TrackedCommand] = [:]
    /// So that what a device says concerns its own commands alone, however many there are.
    private var members: [ConversationID: Set<CommandID>] = [:]

    /// A command; `nil` if it is not followed. Commands are added and removed by
    /// ``insert(_:)`` and ``remove(_:)`` alone.
    subscript(id: CommandID) -> TrackedCommand? {
        get { commands[id] }
        _modify { yield &commands[id] }
    }

    /// Every command.
    var values: some Collection<TrackedCommand> { commands.values }

    /// The commands that travel by a conversation.
    func members(of conversation: ConversationID) -> [TrackedCommand] {
        members[conversation]?.compactMap { commands[$0] } ?? []
    }

    /// Follows a command.
    mutating func insert(_ command: TrackedCommand) {
        let id = command.lifecycle.intent.id
        commands[id] = command
        if let conversation = command.conversation { members[conversation, default: []].insert(id) }
    }

    /// Follows a command no more.
    mutating func remove(_ id: CommandID) -> TrackedCommand? {
        guard let command = commands.removeValue(forKey: id) else { return nil }
        if let conversation = command.conversation { members[conversation]?.remove(id) }
        return command
    }
}
