/// User name and password of a connection. Prints as `<redacted>`.
public struct MQTTCredentials: Sendable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    public var username: String
    public var password: String?

    /// Throws `invalidArgument` for NUL, which would truncate the C string, control characters, and more than
    /// 65,535 bytes.
    public init(username: String, password: String? = nil) throws(MQTTError) {
        self.username = username
        self.password = password
        try validate()
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
