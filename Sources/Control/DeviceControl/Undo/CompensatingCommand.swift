public import DeviceDomain
public import DeviceMessages

/// A command that undoes another one, or does an undone one again.
public struct CompensatingCommand: Hashable, Sendable {
    /// Its name.
    public let name: CommandName
    /// Its arguments.
    public let arguments: JSONObject
    /// The revision that the device's state must have, so that no other change is lost; `nil` where
    /// none is known.
    public let ifRevision: Int?
    /// The command that it is about.
    public let cause: UndoCause

    init(name: CommandName, arguments: JSONObject = [:], ifRevision: Int?, cause: UndoCause) {
        self.name = name
        self.arguments = arguments
        self.ifRevision = ifRevision
        self.cause = cause
    }
}

/// Links a compensating command to the one that it is about (PROTOCOL section 2, `cause`).
public enum UndoCause: Hashable, Sendable {
    /// It undoes this command.
    case undo(CommandID)
    /// It does this undone command again.
    case redo(CommandID)

    /// The link in a command's cause; `nil` if the cause says something else.
    init?(_ cause: String?) {
        let parts = cause?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let parts, parts.count == 2, let id = CommandID(String(parts[1])) else {
            return nil
        }
        switch parts[0] {
        case "undo": self = .undo(id)
        case "redo": self = .redo(id)
        default: return nil
        }
    }

    /// As it stands in the command.
    public var text: String {
        switch self {
        case .undo(let id): "undo:\(id)"
        case .redo(let id): "redo:\(id)"
        }
    }
}

/// Why a command cannot be undone or done again: it would not restore what was.
public struct UndoRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stands against it, and what to do.
    public let description: String

    public init(_ description: String) { self.description = description }
}
