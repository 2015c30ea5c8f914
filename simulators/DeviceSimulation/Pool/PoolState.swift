import DeviceDomain
import DeviceMessages

/// What the controlled members of a pool robot's state are made of.
struct PoolState: Hashable, Sendable {
    let activity: PoolRobot.Activity
    let program: PoolRobot.Program?
    let settings: PoolSettings
    let isInWater: Bool
    let error: String?

    /// The members.
    var members: JSONObject {
        var members = JSONObject(reporting: [
            .activity: .string(activity.rawValue),
            .program: program.map { .string($0.rawValue) } ?? .null,
            .powerLevel: .string(settings.level.rawValue),
            .inWater: .boolean(isInWater),
            .error: error.map(JSONValue.string) ?? .null,
        ])
        members["settings"] = ["schedule": settings.schedule.json]
        members["desiredRevision"] = .integer(settings.desiredRevision)
        return members
    }
}
