/// The name by which a broker knows a session; one connection at a time may hold it.
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

    /// Asks the broker for an identifier that nobody else has (MQTT 5, with `cleanStart`). It is in
    /// ``MQTTConnectionInfo/clientID`` then, and the later connections of the same ``MQTTClient`` or
    /// ``MQTTConnection`` are made with it.
    public static let assignedByBroker = Self(unchecked: "")

    public var description: String { rawValue.isEmpty ? "(assigned by the broker)" : rawValue }
}
