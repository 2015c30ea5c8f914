public import DeviceDomain
public import MQTTClient
public import MQTTLink

/// Bridge, broker and timing of a ``ZigbeeChannel``.
public struct ZigbeeChannelConfiguration: Sendable {
    /// The id of the channel, and of the bridge as a device.
    public var id: ChannelID
    /// The home that the bridge's devices belong to. No other home is served.
    public var home: HomeID
    /// The broker. Packets of at least 16 MiB are allowed, for the list of a large network comes in
    /// one.
    public var link: MQTTLinkConfiguration
    /// When the effects of commands are read back.
    public var readBack: ReadBackTiming
    /// How long a replay waits for its fence.
    public var fenceDeadline: Duration
    /// zigbee2mqtt's setting `mqtt.base_topic`.
    public var base: BaseTopic

    public init(
        id: ChannelID, home: HomeID, link: MQTTLinkConfiguration, base: BaseTopic,
        readBack: ReadBackTiming = ReadBackTiming(), fenceDeadline: Duration = .seconds(5)
    ) {
        self.id = id
        self.home = home
        self.link = link
        self.base = base
        self.readBack = readBack
        self.fenceDeadline = fenceDeadline
        self.link.maximumPacketSize = max(link.maximumPacketSize, 16 << 20)
    }

    /// The same with a base topic that was not checked yet.
    /// - Throws: `invalidArgument`: see ``BaseTopic``.
    public init(
        id: ChannelID, home: HomeID, link: MQTTLinkConfiguration,
        baseTopic: String = "zigbee2mqtt", readBack: ReadBackTiming = ReadBackTiming(),
        fenceDeadline: Duration = .seconds(5)
    ) throws(MQTTError) {
        self.init(
            id: id, home: home, link: link, base: try BaseTopic(baseTopic), readBack: readBack,
            fenceDeadline: fenceDeadline)
    }

    /// Checks a base topic as the initializer does.
    package static func validate(baseTopic: String) throws(MQTTError) {
        _ = try BaseTopic(baseTopic)
    }

    /// The id of the bridge as a device.
    var bridge: DeviceID {
        // Ids of channels and of devices have the same grammar.
        DeviceID(rawValue: id.text) ?? { preconditionFailure("a channel's id is a device's") }()
    }
}
