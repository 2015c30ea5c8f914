internal import Connectivity
internal import DeviceMessages

/// The commands that the invoker follows, by their id and by the conversation that they travel by.
struct TrackedCommands {
    private var commands: [CommandID: TrackedCommand] = [:]
    /// So that what a device says concerns its own commands alone, however many there are.
    private var members: [ConversationID: [CommandID: TrackedCommand]] = [:]

    /// A command; `nil` if it is not followed.
    subscript(id: CommandID) -> TrackedCommand? { commands[id] }

    /// Whether a command is followed.
    func contain(_ id: CommandID) -> Bool { commands[id] != nil }

    /// Every command.
    var values: some Sequence<TrackedCommand> { commands.values }

    /// The commands that travel by a conversation.
    func members(of conversation: ConversationID) -> some Collection<TrackedCommand> {
        (members[conversation] ?? [:]).values
    }

    /// Follows a command.
    mutating func insert(_ command: TrackedCommand) {
        let id = command.lifecycle.intent.id
        commands[id] = command
        if let conversation = command.conversation { members[conversation, default: [:]][id] = command }
    }

    /// Follows a command no more.
    mutating func remove(_ id: CommandID) -> TrackedCommand? {
        guard let command = commands.removeValue(forKey: id) else { return nil }
        if let conversation = command.conversation { members[conversation]?[id] = nil }
        return command
    }
}
