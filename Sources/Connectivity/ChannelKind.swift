/// A way to reach devices. An open set: every adapter adds its own.
public struct ChannelKind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An MQTT broker that speaks the Homeport device protocol.
    public static let mqtt = ChannelKind(rawValue: "mqtt")
}
