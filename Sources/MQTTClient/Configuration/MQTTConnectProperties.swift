/// What CONNECT says beyond the other fields of ``MQTTConfiguration``. MQTT 5; on 3.1.1 nothing of it is
/// sent.
public struct MQTTConnectProperties: Sendable, Hashable {
    /// Names and values for the broker, in order.
    public var userProperties: [MQTTProperties.UserProperty]
    /// Ask the broker where answers may be sent to; see ``MQTTBrokerLimits/responseInformation``.
    public var requestsResponseInformation: Bool
    /// Whether the broker may say more than a code about what it refuses. Without it no reason strings
    /// and user properties come with acknowledgements.
    public var allowsProblemInformation: Bool
    /// Who the client is, where user name and password do not say so.
    public var authentication: MQTTAuthentication?

    /// Nothing but the protocol's defaults: nothing is sent.
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
/// The wrapped library has no AUTH packet. So a broker that asks back gets no answer, the attempt ends at
/// the connect timeout, and a token is renewed by connecting again.
public struct MQTTAuthentication: Sendable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The name of the method, as the broker knows it.
    public var method: String
    /// What the method wants to be told, at most 65,535 bytes.
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
