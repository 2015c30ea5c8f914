public import DeviceDomain
public import DeviceMessages

/// What a device said.
public struct IncomingMessage: Hashable, Sendable {
    /// The home of the device.
    public let home: HomeID
    /// The device; the channel has made sure that the payload names the same one.
    public let device: DeviceID
    /// What it said.
    public let content: Content

    /// The kinds of things that a device says.
    public enum Content: Hashable, Sendable {
        /// What it is.
        case description(DescriptionMessage)
        /// Whether it is there.
        case presence(PresenceMessage)
        /// Its full reported state.
        case state(StateMessage)
        /// Sampled signals.
        case telemetry(TelemetryMessage)
        /// A fact that happened.
        case event(EventMessage)
        /// What became of a command of this controller.
        case ack(AckMessage)
    }

    public init(home: HomeID, device: DeviceID, content: Content) {
        self.home = home
        self.device = device
        self.content = content
    }
}

/// The messages of one conversation.
public typealias IncomingMessages = BoundedStream<IncomingMessage>
