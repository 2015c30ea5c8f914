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

    private init(_ other: Self, reasonString: String?) {
        publishesWill = other.publishesWill
        sessionExpiry = other.sessionExpiry
        self.reasonString = reasonString
        userProperties = []
    }

    /// What of it fits into a packet of at most `limit` bytes. The words are left out that do not: MQTT
    /// forbids to send them then (sections 3.14.2.2.3 and 3.14.2.2.4).
    func fitting(into limit: Int) -> Self {
        if MQTTPacketSize.disconnect(self) <= limit { return self }
        let brief = Self(self, reasonString: reasonString)
        if MQTTPacketSize.disconnect(brief) <= limit { return brief }
        return Self(self, reasonString: nil)
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
