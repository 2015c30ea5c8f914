/// Properties of CONNECT besides those from other fields of ``MQTTConfiguration``. MQTT 5; on 3.1.1 they are
/// not sent.
public struct MQTTConnectProperties: Sendable, Hashable {
    /// User properties for the broker, in order.
    public var userProperties: [MQTTProperties.UserProperty]
    /// Whether to ask the broker where responses may be sent; see ``MQTTBrokerLimits/responseInformation``.
    public var requestsResponseInformation: Bool
    /// Whether the broker may send reason strings and user properties with acknowledgements.
    public var allowsProblemInformation: Bool
    /// Authentication data, if user name and password are not used for it.
    public var authentication: MQTTAuthentication?

    /// The protocol's defaults: nothing is sent.
    public static let none = MQTTConnectProperties()

    public init(
        userProperties: [MQTTProperties.UserProperty] = [],
        requestsResponseInformation: Bool = false, allowsProblemInformation: Bool = true,
        authentication: MQTTAuthentication? = nil
    ) {
        self.userProperties = userProperties
        self.requestsResponseInformation = requestsResponseInformation
        self.allowsProblemInformation = allowsProblemInformation
        self.authentication = authentication
    }

    /// Throws for strings that no MQTT packet can carry.
    func validate() throws(MQTTError) {
        try userProperties.validate()
        try authentication?.validate()
    }
}

/// An authentication method with its data, sent once, in CONNECT: a token, for example. Prints as
/// `<redacted>`.
///
/// The wrapped library does not support AUTH packets. So methods with a challenge fail at the connect timeout,
/// and a token can only be renewed by reconnecting.
public struct MQTTAuthentication: Sendable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The name of the method.
    public var method: String
    /// The authentication data, at most 65,535 bytes.
    public var data: [UInt8]?

    /// Throws `invalidArgument` for an empty method, one that no MQTT packet can carry, and too much data.
    public init(method: String, data: [UInt8]? = nil) throws(MQTTError) {
        self.method = method
        self.data = data
        try validate()
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    func validate() throws(MQTTError) {
        try MQTTString.validate(method, as: "authentication method")
        try MQTTString.validate(data ?? [], as: "authentication data")
    }
}
