/// What a device declares about one of its commands (PROTOCOL section 2, `description.commands`).
public struct CommandSpecification: Hashable, Sendable {
    /// The command's name.
    public let name: CommandName
    /// The schema of its arguments; `nil` if a third-party device gave only a name, so that nothing can be
    /// checked before sending.
    public let arguments: ArgumentSchema?
    /// The lane that it is sent on.
    public let lane: CommandLane
    /// How it is acknowledged.
    public let sort: CommandSort
    /// What happens to it while the device is offline.
    public let offline: OfflinePolicy
    /// How it is undone.
    public let undo: UndoPolicy
    /// Whether the device refuses it without `ifRevision`.
    public let needsIfRevision: Bool
    /// What it sets; `nil` if that is not known.
    public let sets: StateTarget?

    public init(
        name: CommandName, arguments: ArgumentSchema?, lane: CommandLane = .normal,
        sort: CommandSort, offline: OfflinePolicy = .failFast, undo: UndoPolicy = .none,
        needsIfRevision: Bool = false, sets: StateTarget? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.lane = lane
        self.sort = sort
        self.offline = offline
        self.undo = undo
        self.needsIfRevision = needsIfRevision
        self.sets = sets
    }

    /// A command of which only the name is known, with the most cautious assumptions.
    public static func bare(_ name: CommandName) -> CommandSpecification {
        CommandSpecification(name: name, arguments: nil, sort: .action)
    }
}

/// The member of a device's state that a command sets.
public struct StateTarget: Hashable, Sendable {
    /// The member.
    public let member: String
    /// The value that it always sets; `nil` for that of its argument.
    public let value: JSONValue?

    public init(member: String, value: JSONValue? = nil) {
        self.member = member
        self.value = value
    }
}

/// The topic that a command is sent on.
public enum CommandLane: String, Hashable, Sendable, CaseIterable {
    /// In order, one action at a time.
    case normal
    /// Stop, pause, surface, cancel: never waits behind the normal lane.
    case urgent
}

/// How a command is acknowledged.
public enum CommandSort: String, Hashable, Sendable, CaseIterable {
    /// Changes a setting: accepted and succeeded at once, undone by the former value.
    case setting
    /// Takes time: accepted, progress, and a final ack when it is done.
    case action
    /// Accepted and succeeded at once.
    case instant
}

/// What happens to a command for a device that is offline (PROTOCOL section 5).
public enum OfflinePolicy: Hashable, Sendable {
    /// Ends at once as `refused`.
    case failFast
    /// Waits in the controller's queue for the given time, then ends as `expired`.
    case expire(after: Duration)
    /// Waits; a newer one supersedes a queued older one.
    case latest
    /// Supersedes the queued actions that it contradicts, and is sent first.
    case barrier
    /// Is written to the retained desired document.
    case desired
}

/// How a command is undone.
public enum UndoPolicy: Hashable, Sendable {
    /// Not at all.
    case none
    /// By sending the value that it replaced.
    case restore
    /// By a command that has the opposite effect, for as long as the device works on it.
    case inverse(with: CommandName)
}
