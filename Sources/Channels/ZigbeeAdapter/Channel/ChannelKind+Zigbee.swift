public import Connectivity

extension ChannelKind {
    /// A zigbee2mqtt bridge on an MQTT broker.
    public static let zigbee2MQTT = ChannelKind(rawValue: "zigbee2mqtt")
}
