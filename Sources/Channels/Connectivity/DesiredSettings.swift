public import DeviceDomain

/// The settings that a link keeps for a device, or those that the device has applied.
public struct DesiredSettings: Hashable, Sendable {
    /// Rises with every writing of the settings.
    public var revision: Int
    /// The settings by their names.
    public var members: JSONObject

    public init(revision: Int, members: JSONObject) {
        self.revision = revision
        self.members = members
    }

    /// Those that a device says in its state that it has applied; `nil` if it takes none.
    public init?(reportedIn state: JSONObject) {
        guard let revision = state["desiredRevision"]?.integer else { return nil }
        self.init(revision: revision, members: state["settings"]?.object ?? [:])
    }

    /// Whether these values are among the settings.
    public func contain(_ wanted: JSONObject) -> Bool {
        wanted.allSatisfy { members[$0.key] == $0.value }
    }

    /// Whether the settings have another value for one of these.
    public func contradict(_ wanted: JSONObject) -> Bool {
        wanted.contains { name, value in members[name].map { $0 != value } ?? false }
    }
}

/// What a link keeps for a device, and what the device has applied of it.
public struct DesiredReading: Hashable, Sendable {
    /// The settings that the link keeps; `nil` if there are none.
    public var kept: DesiredSettings?
    /// The settings that the device reported last; `nil` if it has reported none.
    public var applied: DesiredSettings?
    /// The least revision that may be written next: whoever counts them has given it to nobody else.
    package var allotted = 1

    public init(kept: DesiredSettings? = nil, applied: DesiredSettings? = nil) {
        self.kept = kept
        self.applied = applied
    }
}

extension CommandIntent {
    /// The values that a link can keep for the device instead of the command: `set-schedule` with one
    /// argument is the setting `schedule`.
    ///
    /// `nil` for a command that only the device itself can check: a dry run, and one that depends on the
    /// revision of the device's state.
    public var desiredSettings: JSONObject? {
        let prefix = "set-"
        guard offline == .desired, !isDryRun, ifRevision == nil, arguments.count == 1,
            name.rawValue.hasPrefix(prefix), let value = arguments.values.first
        else { return nil }
        return [String(name.rawValue.dropFirst(prefix.count)): value]
    }
}
