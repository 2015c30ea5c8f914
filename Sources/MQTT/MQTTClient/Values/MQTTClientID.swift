/// The client identifier, by which a broker identifies a session. One connection at a time may use it.
public struct MQTTClientID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as it is sent in CONNECT.
    public let rawValue: String

    /// Throws `invalidArgument` unless there are 1 to 65,535 bytes without control characters.
    public init(_ rawValue: String) throws(MQTTError) {
        try MQTTString.validate(rawValue, as: "client id")
        self.rawValue = rawValue
    }

    private init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }

    /// Lets the broker assign a unique identifier (MQTT 5, with `cleanStart`). It is reported in
    /// ``MQTTConnectionInfo/clientID``, and later connections of the same ``MQTTClient`` or
    /// ``MQTTConnection`` use it.
    public static let assignedByBroker = Self(unchecked: "")

    public var description: String { rawValue.isEmpty ? "(assigned by the broker)" : rawValue }
}
