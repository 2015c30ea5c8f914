/// A broker's full answer to PUBLISH, SUBSCRIBE or UNSUBSCRIBE.
public struct MQTTAcknowledgement: Sendable, Hashable {
    /// One for a PUBLISH, one per filter for a SUBSCRIBE. None for an UNSUBSCRIBE, because the wrapped library
    /// does not report them.
    public var reasonCodes: [MQTTReasonCode] {
        get { (first.map { [$0] } ?? []) + others }
        set {
            first = newValue.first
            others = Array(newValue.dropFirst())
        }
    }
    /// MQTT 5: the broker's reason string; if several packets were needed, the first one.
    public var reasonString: String?
    /// MQTT 5: the broker's user properties, of all packets that were needed.
    public var userProperties: [MQTTProperties.UserProperty]
    // Apart, because an array for the one code of every PUBACK would be an allocation per message.
    private var first: MQTTReasonCode?
    private var others: [MQTTReasonCode] = []

    public init(
        reasonCodes: [MQTTReasonCode], reasonString: String? = nil,
        userProperties: [MQTTProperties.UserProperty] = []
    ) {
        self.reasonString = reasonString
        self.userProperties = userProperties
        self.reasonCodes = reasonCodes
    }

    /// The answer to a PUBLISH, without properties.
    init(_ reasonCode: MQTTReasonCode) {
        first = reasonCode
        userProperties = []
    }

    /// The first of the codes; success if there is none.
    public var reasonCode: MQTTReasonCode { first ?? .success }
}
