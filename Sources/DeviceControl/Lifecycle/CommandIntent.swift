public import DeviceDomain
public import DeviceMessages

/// What was wanted; the part of a command's record that never changes.
public struct CommandIntent: Hashable, Sendable {
    /// Who wants the command.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A user.
        case request
        /// The invoker itself, to learn what became of other commands.
        case inquiry
    }

    /// Names the command.
    public var id: CommandID
    /// Who wants it.
    public var purpose: Purpose
    /// The controller that it is acknowledged to.
    public var controller: ControllerID
    /// The home of the device.
    public var home: HomeID
    /// The device.
    public var device: DeviceID
    /// The command's name.
    public var name: CommandName
    /// Its arguments.
    public var arguments: JSONObject
    /// The lane that it travels on.
    public var lane: CommandLane
    /// How it is acknowledged.
    public var sort: CommandSort
    /// What happens to it while the device is offline.
    public var offline: OfflinePolicy
    /// When it was made (wire clock).
    public var issuedAt: Timestamp
    /// Until when it may start (wire clock).
    public var expiresAt: Timestamp
    /// The revision that the device's state must have; `nil` for any.
    public var ifRevision: Int?
    /// What links it to other commands, such as `undo:` and an id.
    public var cause: String?
    /// Whether only the checks are to run.
    public var isDryRun: Bool

    public init(
        id: CommandID, purpose: Purpose = .request, controller: ControllerID, home: HomeID,
        device: DeviceID, name: CommandName, arguments: JSONObject = [:],
        lane: CommandLane = .normal, sort: CommandSort, offline: OfflinePolicy = .failFast,
        issuedAt: Timestamp, expiresAt: Timestamp, ifRevision: Int? = nil, cause: String? = nil,
        isDryRun: Bool = false
    ) {
        self.id = id
        self.purpose = purpose
        self.controller = controller
        self.home = home
        self.device = device
        self.name = name
        self.arguments = arguments
        self.lane = lane
        self.sort = sort
        self.offline = offline
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.ifRevision = ifRevision
        self.cause = cause
        self.isDryRun = isDryRun
    }

    /// The bytes that are sent, once its sequence number is known.
    public func payload(sequence: Int) -> [UInt8] {
        CommandMessage(
            id: id, controller: controller, name: name, arguments: arguments, issuedAt: issuedAt,
            expiresAt: expiresAt, sequence: sequence, ifRevision: ifRevision, boot: nil,
            cause: cause, dryRun: isDryRun
        ).payload
    }
}
