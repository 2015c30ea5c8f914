public import DeviceDomain
public import DeviceMessages

/// Something that a channel heard of a device, in terms that every channel shares.
public struct Observation: Hashable, Sendable {
    /// The channel that heard it.
    public let channel: ChannelID
    /// The home of the device.
    public let home: HomeID
    /// The device; the channel has made sure that the content is its own.
    public let device: DeviceID
    /// What was heard.
    public let content: Content

    /// What can be heard of a device.
    public enum Content: Hashable, Sendable {
        /// What the device is.
        case description(DeviceProfile)
        /// Whether it is there.
        case presence(Presence)
        /// Its full reported state.
        case state(StateReport)
        /// A sample of its signals.
        case telemetry(TelemetryReport)
        /// A fact that happened.
        case event(EventReport)
        /// What became of a command of this controller.
        case evidence(CommandEvidence)
        /// What was known of one part does not hold any more.
        case cleared(DevicePart)
        /// The device has left the channel.
        case removed
        /// The device says something that cannot be read: what, and why.
        case problem(DevicePart, String)
    }

    public init(channel: ChannelID, home: HomeID, device: DeviceID, content: Content) {
        self.channel = channel
        self.home = home
        self.device = device
        self.content = content
    }
}

/// A part of what is known of a device.
public enum DevicePart: String, Hashable, Sendable, CaseIterable {
    /// What it is.
    case description
    /// Whether it is there.
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
    /// The start of the device, where the channel tells starts apart.
    public var boot: BootID?
    /// When the state was so, where the channel tells (world clock).
    public var at: Timestamp?
    /// The command that caused the change, where the channel tells.
    public var by: CommandID?

    public init(
        _ members: JSONObject, revision: Int? = nil, boot: BootID? = nil, at: Timestamp? = nil,
        by: CommandID? = nil
    ) {
        self.members = members
        self.revision = revision
        self.boot = boot
        self.at = at
        self.by = by
    }
}

/// One sample of a device's signals.
public struct TelemetryReport: Hashable, Sendable {
    /// The signals.
    public var values: JSONObject
    /// The start of the device, where the channel tells starts apart.
    public var boot: BootID?
    /// When the sample was taken, where the channel tells (world clock).
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
    /// The start of the device, where the channel tells starts apart.
    public var boot: BootID?
    /// When it happened, where the channel tells (world clock).
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

/// Takes what a channel hears, in the channel's own context: it must return at once.
public typealias ObservationSink = @Sendable (Observation) -> Void

/// The observations of one conversation.
public typealias ObservationStream = BoundedStream<Observation>
