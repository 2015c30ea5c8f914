/// A broker's full answer to PUBLISH, SUBSCRIBE or UNSUBSCRIBE.
public struct MQTTAcknowledgement: Sendable, Hashable {
    /// One for a PUBLISH, one per filter for a SUBSCRIBE. None for an UNSUBSCRIBE, because the wrapped library
    /// does not report them.
    public var reasonCodes: [MQTTReasonCode]
    /// MQTT 5: the broker's reason string; if several packets were needed, the first one.
    public var reasonString: String?
    /// MQTT 5: the broker's user properties, of all packets that were needed.
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
