import DeviceDomain
import DeviceMessages

/// What the controlled members of a sweeping robot's state are made of.
struct SweepingState: Hashable, Sendable {
    let activity: SweepingRobot.Activity
    let level: SweepingRobot.SuctionLevel
    let isCharging: Bool
    let error: String?

    /// The members.
    var members: JSONObject {
        JSONObject(reporting: [
            .activity: .string(activity.rawValue), .fanSpeed: .string(level.rawValue),
            .isCharging: .boolean(isCharging), .error: error.map(JSONValue.string) ?? .null,
        ])
    }
}
