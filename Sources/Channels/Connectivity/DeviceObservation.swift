public import DeviceDomain
public import DeviceMessages

/// Something that a channel received from a device, independent of the channel's technology.
public struct DeviceObservation: Hashable, Sendable {
    /// The channel that received it.
    public let channel: ChannelID
    /// The home of the device.
    public let home: HomeID
    /// The device; the channel has verified that the content belongs to it.
    public let device: DeviceID
    /// What was received.
    public let content: Content

    /// What can be received from a device.
    public enum Content: Hashable, Sendable {
        /// What the device is.
        case description(DeviceProfile)
        /// Its presence.
        case presence(Presence)
        /// Its full reported state.
        case state(StateReport)
        /// A sample of its signals.
        case telemetry(TelemetryReport)
        /// A fact that happened.
        case event(EventReport)
        /// The progress or outcome of a command of this controller.
        case evidence(CommandEvidence)
        /// One part was cleared: earlier values no longer apply.
        case cleared(DevicePart)
        /// The device has left the channel.
        case removed
        /// The device published something that cannot be read: which part, and why.
        case problem(DevicePart, String)
    }

    public init(channel: ChannelID, home: HomeID, device: DeviceID, content: Content) {
        self.channel = channel
        self.home = home
        self.device = device
        self.content = content
    }
}

/// A part of the data that devices publish.
public enum DevicePart: String, Hashable, Sendable, CaseIterable {
    /// What it is.
    case description
    /// Its presence.
    case presence
    /// Its state.
    case state
    /// Its signals.
    case telemetry
    /// What happened to it.
    case event
    /// Its acknowledgements.
    case ack
}

/// The members of a device's state.
public struct StateReport: Hashable, Sendable {
    /// The members.
    public var members: JSONObject
    /// Rises with every change that a command can make; `nil` on channels without revisions.
    public var revision: Int?
    /// The boot of the device; `nil` on channels without boot ids.
    public var boot: BootID?
    /// When the state was captured, if the channel reports it (world clock).
    public var at: Timestamp?
    /// The command that caused the change, if the channel reports it.
    public var by: CommandID?
    /// The kept settings that the device applied last, if it reports them.
    public var applied: DesiredSettings?

    public init(
        _ members: JSONObject, revision: Int? = nil, boot: BootID? = nil, at: Timestamp? = nil,
        by: CommandID? = nil, applied: DesiredSettings? = nil
    ) {
        self.members = members
        self.revision = revision
        self.boot = boot
        self.at = at
        self.by = by
        self.applied = applied
    }
}

/// One sample of a device's signals.
public struct TelemetryReport: Hashable, Sendable {
    /// The signals.
    public var values: JSONObject
    /// The boot of the device; `nil` on channels without boot ids.
    public var boot: BootID?
    /// When the sample was taken, if the channel reports it (world clock).
    public var at: Timestamp?
    /// Rises by one from 1 for each start, where the channel counts samples.
    public var n: Int?

    public init(
        _ values: JSONObject, boot: BootID? = nil, at: Timestamp? = nil, n: Int? = nil
    ) {
        self.values = values
        self.boot = boot
        self.at = at
        self.n = n
    }
}

/// A fact that happened to a device.
public struct EventReport: Hashable, Sendable {
    /// What happened.
    public var name: EventName
    /// The event's own id, where the channel has one.
    public var id: EventID?
    /// More about it.
    public var detail: JSONObject
    /// The boot of the device; `nil` on channels without boot ids.
    public var boot: BootID?
    /// When it happened, if the channel reports it (world clock).
    public var at: Timestamp?

    public init(
        _ name: EventName, id: EventID? = nil, detail: JSONObject = [:], boot: BootID? = nil,
        at: Timestamp? = nil
    ) {
        self.name = name
        self.id = id
        self.detail = detail
        self.boot = boot
        self.at = at
    }
}

/// Receives a channel's observations, in the channel's own context: it must return at once.
public typealias ObservationSink = @Sendable (DeviceObservation) -> Void

/// The observations of one conversation.
public typealias ObservationStream = BoundedStream<DeviceObservation>
