public import DeviceDomain
public import DeviceMessages

/// What a device is to do; the part of a command that never changes.
public struct CommandIntent: Hashable, Sendable, Identifiable {
    /// Names the command.
    public var id: CommandID
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
        id: CommandID, controller: ControllerID, home: HomeID, device: DeviceID,
        name: CommandName, arguments: JSONObject = [:], lane: CommandLane = .normal,
        sort: CommandSort, offline: OfflinePolicy = .failFast, issuedAt: Timestamp,
        expiresAt: Timestamp, ifRevision: Int? = nil, cause: String? = nil,
        isDryRun: Bool = false
    ) {
        self.id = id
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
}

/// A command as it will be sent, every time with the same bytes. The ledger stores it first.
public struct PreparedCommand: Hashable, Sendable, Identifiable {
    /// What the device is to do.
    public let intent: CommandIntent
    /// The channel that made the bytes, and the only one that can send them.
    public let channel: ChannelID
    /// Its place among the controller's commands to the device.
    public let sequence: Int
    /// The bytes of every send, as the channel made them.
    public let payload: [UInt8]

    public init(intent: CommandIntent, channel: ChannelID, sequence: Int, payload: [UInt8]) {
        self.intent = intent
        self.channel = channel
        self.sequence = sequence
        self.payload = payload
    }

    public var id: CommandID { intent.id }
}

/// The link's response to a command that was sent. It never comes from the device itself.
public enum DeliveryReceipt: Hashable, Sendable {
    /// The link has accepted it for delivery (MQTT: PUBACK).
    case confirmed
    /// As ``confirmed``; and nothing will show whether the command takes effect, because what it sets
    /// cannot be read. Evidence that comes all the same still counts.
    case confirmedWithoutEvidence
    /// The link works, but there is no subscriber at present (MQTT 5: PUBACK 0x10).
    case noReceiver
    /// The link refused it for good (MQTT 5: PUBACK with an error; `.forbidden` for 0x87).
    case refused(AckCode, String)
}

/// A device's answer to a status query for a command.
public enum RecordedOutcome: Hashable, Sendable {
    /// The device has a record of the command: its latest acknowledgement.
    case known(CommandEvidence)
    /// The device never received the command and will reject it from now on.
    case never
    /// The device no longer has a record of the command.
    case forgotten
}
