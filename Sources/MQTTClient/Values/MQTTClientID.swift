/// The name by which a broker knows a session; one connection at a time may hold it.
public struct MQTTClientID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as it is sent in CONNECT.
    public let rawValue: String

    /// Throws `invalidArgument` unless there are 1 to 65,535 bytes without control characters.
    public init(_ rawValue: String) throws(MQTTError) {
        try MQTTString.validate(rawValue, as: "client id")
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}
