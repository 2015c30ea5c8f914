internal import DeviceDomain

/// The parts of descriptions that are equal in many devices, each kept once.
struct SharedDescriptions: Sendable {
    private var commands: Set<[CommandSpecification]> = []
    private var capabilities: Set<Set<Capability>> = []
    private var plans: Set<RoomPlan> = []
    private var names: Set<Set<String>> = []
    /// The most different ones that are kept of each part. Homes have few models; beyond it a device that
    /// describes itself anew all the time would fill the memory.
    private static let limit = 1_000

    /// A profile, sharing the storage of equal parts of the profiles before it.
    mutating func sharing(_ profile: DeviceProfile) -> DeviceProfile {
        DeviceProfile(
            id: profile.id, home: profile.home, kind: profile.kind, model: profile.model,
            name: profile.name, firmware: profile.firmware,
            capabilities: Self.shared(profile.capabilities, &capabilities),
            commands: Self.shared(profile.commands, &commands),
            plan: profile.plan.map { Self.shared($0, &plans) },
            stateMembers: profile.stateMembers.map { Self.shared($0, &names) },
            serial: profile.serial)
    }

    /// Names of members, sharing the storage of an equal set before them.
    mutating func sharing(_ names: Set<String>) -> Set<String> { Self.shared(names, &self.names) }

    private static func shared<Part: Hashable>(_ part: Part, _ known: inout Set<Part>) -> Part {
        // Who has one keeps it; only what comes later is not shared with it.
        if known.count >= limit { known = [] }
        return known.insert(part).memberAfterInsert
    }
}
