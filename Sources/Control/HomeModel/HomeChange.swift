public import Connectivity
public import DeviceDomain

/// A change of what is known of a home.
public enum HomeChange: Sendable {
    /// Something changed at a device.
    case device(DeviceChange)
    /// The link of a channel changed.
    case link(ChannelID, LinkState)
}

/// A change of what is known of one device.
public struct DeviceChange: Hashable, Sendable {
    /// The device.
    public let device: DeviceID
    /// The channel that reported it.
    public let channel: ChannelID
    /// What changed.
    public let content: Content

    /// What can change.
    public enum Content: Hashable, Sendable {
        /// The device is described for the first time, or anew.
        case description(DeviceProfile)
        /// Its presence was reported.
        case presence(Presence)
        /// Its reachability is unknown: the link to it was lost.
        case doubt
        /// It uses this channel from now on, one of several; why, for people.
        case channel(String)
        /// The user has named it, or put it into a room.
        case label(DeviceLabel)
        /// Its state.
        case state(StateReport)
        /// A sample of its signals.
        case telemetry(TelemetryReport)
        /// A fact that happened to it.
        case event(EventReport)
        /// The progress or outcome of a command.
        case evidence(CommandEvidence)
        /// It was removed, together with all data about it.
        case removed
        /// It published something that cannot be read.
        case problem(DevicePart, String)
    }

    public init(device: DeviceID, channel: ChannelID, content: Content) {
        self.device = device
        self.channel = channel
        self.content = content
    }
}
