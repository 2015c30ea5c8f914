internal import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages

/// A command in a list.
public struct CommandSummary: Hashable, Sendable, Identifiable {
    /// Names the command.
    public let id: CommandID
    /// The device that it is for.
    public let device: DeviceID
    /// What the device is called.
    public let deviceName: String
    /// What it is.
    public let name: CommandName
    /// What it was given; a text stands for each secret.
    public let arguments: JSONObject
    /// The rooms of its device, by which arguments name them; `nil` where it has described none.
    public let rooms: RoomPlan?
    /// Whether it only asks what the device would say, and changes nothing.
    public let isDryRun: Bool
    /// How far it has come.
    public let timeline: CommandTimeline
    /// How much of an action is done, in percent, if the device says so.
    public let percent: Double?
    /// When it was asked for (wire clock).
    public let askedAt: Timestamp
    /// When it expires if it has not begun (wire clock).
    public let expiresAt: Timestamp
    /// Whether it can still be taken back: it has not ended for certain, and is no setting that the broker keeps.
    public let canCancel: Bool
    /// Whether its outcome is unknown and it can be put away.
    public let canPutAway: Bool

    /// - Parameters:
    ///   - deviceName: what its device is called.
    ///   - specification: what the device declares about it; `nil` hides every argument.
    ///   - rooms: the rooms that the device has described.
    public init(
        _ record: CommandRecord, to deviceName: String, by specification: CommandSpecification?,
        in rooms: RoomPlan? = nil
    ) {
        id = record.id
        device = record.intent.device
        self.deviceName = deviceName
        name = record.intent.name
        let given = record.intent.arguments
        arguments = specification.map { $0.arguments?.redacting(given) ?? given } ?? [:]
        self.rooms = rooms
        isDryRun = record.intent.isDryRun
        timeline = CommandTimeline(record)
        percent = record.progress.percent
        askedAt = record.progress.timings.createdAt
        expiresAt = record.intent.expiresAt
        canPutAway = record.state == .unknown && !record.progress.isClosed
        canCancel =
            !record.state.isFinal && !record.progress.isClosed && !canPutAway
            && !record.progress.isKept
    }
}
