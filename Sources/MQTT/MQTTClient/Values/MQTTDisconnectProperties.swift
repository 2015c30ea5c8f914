/// The reason and properties of a client's DISCONNECT. MQTT 5; in 3.1.1 it has none.
public struct MQTTDisconnectProperties: Sendable, Hashable {
    /// Whether the broker publishes the will, as after a lost connection (reason 0x04).
    public let publishesWill: Bool
    /// How long the broker keeps the session, whole seconds, instead of the expiry in CONNECT. Ignored if
    /// CONNECT asked for no session: MQTT forbids to create one here (section 3.14.2.2.2).
    public let sessionExpiry: Duration?
    /// The reason string, for the broker's log; an empty one is left out.
    public let reasonString: String?
    /// User properties for the broker, in order.
    public let userProperties: [MQTTProperties.UserProperty]

    /// A normal disconnect without properties.
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

    /// The properties that fit into a packet of at most `limit` bytes. Reason string and user properties that
    /// do not fit are left out, as MQTT requires (sections 3.14.2.2.3 and 3.14.2.2.4).
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
