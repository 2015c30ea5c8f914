public import Connectivity

extension ChannelKind {
    /// Devices with Alink firmware on an MQTT broker with the project's plugin.
    public static let alink = ChannelKind(rawValue: "alink")
}
