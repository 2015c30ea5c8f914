internal import Connectivity
internal import DeviceMessages

/// The commands that the invoker follows, by their id and by the conversation that they travel by.
struct TrackedCommands {
    /// A command's place in memory. A command takes about a kilobyte, and a dictionary has at least a third
    /// more room than it has entries.
    private final class Box {
        var command: TrackedCommand?

        init(_ command: TrackedCommand) { self.command = command }
    }

    private var boxes: [CommandID: Box] = [:]
    /// So that what a device says concerns its own commands alone, however many there are.
    private var members: [ConversationID: Set<CommandID>] = [:]

    /// A command; `nil` if it is not followed. Commands are added and removed by
    /// ``insert(_:)`` and ``remove(_:)`` alone.
    subscript(id: CommandID) -> TrackedCommand? {
        get { boxes[id]?.command }
        _modify {
            if let box = boxes[id] {
                yield &box.command
            } else {
                var none: TrackedCommand?
                yield &none
            }
        }
    }

    /// Every command.
    var values: some Sequence<TrackedCommand> { boxes.values.lazy.compactMap(\.command) }

    /// The commands that travel by a conversation.
    func members(of conversation: ConversationID) -> [TrackedCommand] {
        members[conversation]?.compactMap { boxes[$0]?.command } ?? []
    }

    /// Follows a command.
    mutating func insert(_ command: TrackedCommand) {
        let id = command.lifecycle.intent.id
        boxes[id] = Box(command)
        if let conversation = command.conversation { members[conversation, default: []].insert(id) }
    }

    /// Follows a command no more.
    mutating func remove(_ id: CommandID) -> TrackedCommand? {
        guard let command = boxes.removeValue(forKey: id)?.command else { return nil }
        if let conversation = command.conversation { members[conversation]?.remove(id) }
        return command
    }
}
