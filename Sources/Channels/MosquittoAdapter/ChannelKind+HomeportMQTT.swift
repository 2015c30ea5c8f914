public import Connectivity

extension ChannelKind {
    /// An MQTT broker whose devices speak the Homeport device protocol.
    public static let homeportMQTT = ChannelKind(rawValue: "homeport-mqtt")
}
