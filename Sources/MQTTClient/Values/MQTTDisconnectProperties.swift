/// How a client takes leave. MQTT 5; a DISCONNECT of 3.1.1 says nothing.
public struct MQTTDisconnectProperties: Sendable, Hashable {
    /// Have the broker publish the will, as if the connection had broken (reason 0x04).
    public let publishesWill: Bool
    /// How long the broker keeps the session, whole seconds, instead of what CONNECT asked for. Left out
    /// where CONNECT asked for no session: MQTT forbids to begin one here (section 3.14.2.2.2).
    public let sessionExpiry: Duration?
    /// Why, for the broker's log; an empty one is left out.
    public let reasonString: String?
    /// Names and values for the broker, in order.
    public let userProperties: [MQTTProperties.UserProperty]

    /// A normal end, about which nothing is said.
    public static let none = MQTTDisconnectProperties()

    private init() {
        publishesWill = false
        sessionExpiry = nil
        reasonString = nil
        userProperties = []
    }

    /// Throws `invalidArgument` for strings that no MQTT packet can carry.
    public init(
        publishesWill: Bool = false, sessionExpiry: Duration? = nil, reasonString: String? = nil,
        userProperties: [MQTTProperties.UserProperty] = []
    ) throws(MQTTError) {
        if let reasonString { try MQTTString.validateContents(reasonString, as: "reason string") }
        try userProperties.validate()
        self.publishesWill = publishesWill
        self.sessionExpiry = sessionExpiry
        self.reasonString = reasonString
        self.userProperties = userProperties
    }
}
