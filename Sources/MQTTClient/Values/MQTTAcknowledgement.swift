/// What a broker answered to PUBLISH, SUBSCRIBE or UNSUBSCRIBE, in full.
public struct MQTTAcknowledgement: Sendable, Hashable {
    /// One for a PUBLISH, one per filter for a SUBSCRIBE, none for an UNSUBSCRIBE: the wrapped library
    /// does not tell those.
    public var reasonCodes: [MQTTReasonCode]
    /// MQTT 5: the broker's own words; where several packets were needed, the first that it said.
    public var reasonString: String?
    /// MQTT 5: names and values of the broker's own, of all packets that were needed.
    public var userProperties: [MQTTProperties.UserProperty]

    public init(
        reasonCodes: [MQTTReasonCode], reasonString: String? = nil,
        userProperties: [MQTTProperties.UserProperty] = []
    ) {
        self.reasonCodes = reasonCodes
        self.reasonString = reasonString
        self.userProperties = userProperties
    }

    /// The first of the codes; success if there is none.
    public var reasonCode: MQTTReasonCode { reasonCodes.first ?? .success }
}
