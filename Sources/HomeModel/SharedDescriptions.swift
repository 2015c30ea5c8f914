internal import DeviceDomain

/// The parts of descriptions that are equal in many devices, each kept once.
struct SharedDescriptions: Sendable {
    private var commands: Set<[CommandSpecification]> = []
    private var capabilities: Set<Set<Capability>> = []
    private var plans: Set<RoomPlan> = []

    /// A profile, sharing the storage of equal parts of the profiles before it.
    mutating func sharing(_ profile: DeviceProfile) -> DeviceProfile {
        DeviceProfile(
            id: profile.id, home: profile.home, kind: profile.kind, model: profile.model,
            name: profile.name, firmware: profile.firmware,
            capabilities: capabilities.insert(profile.capabilities).memberAfterInsert,
            commands: commands.insert(profile.commands).memberAfterInsert,
            plan: profile.plan.map { plans.insert($0).memberAfterInsert })
    }
}
