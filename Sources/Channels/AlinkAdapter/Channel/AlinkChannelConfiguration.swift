package import Alink
internal import Connectivity
public import DeviceDomain
public import MQTTLink

/// Broker, thing models and timing of an ``AlinkChannel``.
public struct AlinkChannelConfiguration: Sendable {
    /// The id of the channel.
    public var id: ChannelID
    /// The home that the devices belong to. No other home is served.
    public var home: HomeID
    /// The broker.
    public var link: MQTTLinkConfiguration
    /// The products whose devices can be read and commanded.
    package var models: ThingModelFolder
    /// How long a replay waits for its fence.
    public var fenceDeadline: Duration

    package init(
        id: ChannelID, home: HomeID, link: MQTTLinkConfiguration, models: ThingModelFolder,
        fenceDeadline: Duration = .seconds(5)
    ) {
        self.id = id
        self.home = home
        self.link = link
        self.models = models
        self.fenceDeadline = fenceDeadline
    }
}
