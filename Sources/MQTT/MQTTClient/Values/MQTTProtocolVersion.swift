/// The version of MQTT a connection speaks.
public enum MQTTProtocolVersion: String, Sendable, Hashable, CaseIterable {
    /// MQTT 5.0: reason codes, properties, session expiry.
    case v5 = "5"
    /// MQTT 3.1.1: properties are left out, and a refused publish looks like a success.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case v3_1_1 = "3.1.1"
}
