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

    /// How a command is kept.
    private enum Place {
        /// As it is worked with.
        case awake(Box)
        /// In little room, until it is changed.
        case resting(RestingCommand)

        var command: TrackedCommand? {
            switch self {
            case .awake(let box): box.command
            case .resting(let resting): resting.command
            }
        }
    }

    /// The commands that travel by a conversation.
    private struct Members {
        /// How many patterns are tried before a new one is made.
        static let patternLimit = 4

        var ids: [CommandID] = []
        /// The newest first.
        var patterns: [RestingPattern] = []

        mutating func resting(_ command: TrackedCommand) -> RestingCommand? {
            for pattern in patterns {
                if let resting = RestingCommand(command, of: pattern) { return resting }
            }
            guard let pattern = RestingPattern(command) else { return nil }
            patterns = [pattern] + patterns.prefix(Self.patternLimit - 1)
            return RestingCommand(command, of: pattern)
        }
    }

    private var places: [CommandID: Place] = [:]
    /// So that what a device says concerns its own commands alone, however many there are.
    private var members: [ConversationID: Members] = [:]

    /// A command; `nil` if it is not followed. Commands are added and removed by
    /// ``insert(_:)`` and ``remove(_:)`` alone. One that is changed does not rest any more.
    subscript(id: CommandID) -> TrackedCommand? {
        @inline(never) get { places[id]?.command }
        _modify {
            if case .resting(let resting) = places[id] { places[id] = .awake(Box(resting.command)) }
            if case .awake(let box) = places[id] {
                yield &box.command
            } else {
                var none: TrackedCommand?
                yield &none
            }
        }
    }

    /// Whether a command is followed.
    func contain(_ id: CommandID) -> Bool { places[id] != nil }

    /// Every command.
    var values: some Sequence<TrackedCommand> { places.values.lazy.compactMap(\.command) }

    /// The commands that travel by a conversation.
    @inline(never)
    func members(of conversation: ConversationID) -> [TrackedCommand] {
        members[conversation]?.ids.compactMap { self[$0] } ?? []
    }

    /// Follows a command.
    mutating func insert(_ command: TrackedCommand) {
        let id = command.lifecycle.intent.id
        places[id] = .awake(Box(command))
        if let conversation = command.conversation {
            members[conversation, default: Members()].ids.append(id)
        }
    }

    /// Keeps a command in little room if it does nothing but wait.
    mutating func rest(_ id: CommandID) {
        guard case .awake(let box) = places[id], let command = box.command, command.isAtRest,
            let conversation = command.conversation,
            let resting = members[conversation]?.resting(command)
        else { return }
        places[id] = .resting(resting)
    }

    /// Follows a command no more.
    mutating func remove(_ id: CommandID) -> TrackedCommand? {
        guard let command = places.removeValue(forKey: id)?.command else { return nil }
        if let conversation = command.conversation {
            members[conversation]?.ids.removeAll { $0 == id }
        }
        return command
    }
}
