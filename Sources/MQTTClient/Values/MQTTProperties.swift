/// The MQTT 5 properties of an application message. On 3.1.1 they are not sent.
public struct MQTTProperties: Sendable, Equatable {
    /// A name and a value of the application's own; names may repeat and keep their order.
    public struct UserProperty: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// MIME type of the payload; an empty one is left out, because the wrapped library crashes on it.
    public var contentType: String?
    /// Whether the payload is declared to be UTF-8 text (Payload Format Indicator).
    public var isUTF8: Bool?
    /// Where an answer is expected.
    public var responseTopic: MQTTTopic?
    /// What the answer must carry so that it can be matched with its request.
    public var correlationData: [UInt8]?
    /// Seconds after which the broker discards the message undelivered.
    public var messageExpirySeconds: UInt32?
    /// Names and values of the application, in order.
    public var userProperties: [UserProperty]
    /// Inbound only: identifiers of the subscriptions that matched.
    public var subscriptionIdentifiers: [UInt32]

    /// No property at all: nothing is sent.
    public static let none = MQTTProperties()

    public init(
        contentType: String? = nil, isUTF8: Bool? = nil, responseTopic: MQTTTopic? = nil,
        correlationData: [UInt8]? = nil, messageExpirySeconds: UInt32? = nil,
        userProperties: [UserProperty] = [], subscriptionIdentifiers: [UInt32] = []
    ) {
        self.contentType = contentType
        self.isUTF8 = isUTF8
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.messageExpirySeconds = messageExpirySeconds
        self.userProperties = userProperties
        self.subscriptionIdentifiers = subscriptionIdentifiers
    }

    /// Whether nothing would be sent for these properties.
    public var isEmpty: Bool {
        (contentType ?? "").isEmpty && isUTF8 == nil && responseTopic == nil
            && correlationData == nil && messageExpirySeconds == nil && userProperties.isEmpty
    }

    /// The value of the first user property of that name.
    public subscript(name: String) -> String? {
        userProperties.first { $0.name == name }?.value
    }

    /// Throws for strings that no MQTT packet can carry.
    func validate() throws(MQTTError) {
        if let contentType {
            try MQTTString.validateContents(contentType, as: "content type")
        }
        if let correlationData {
            try MQTTString.validate(correlationData, as: "correlation data")
        }
        try userProperties.validate()
    }
}

extension [MQTTProperties.UserProperty] {
    /// Throws for strings that no MQTT packet can carry. Empty ones can be.
    func validate() throws(MQTTError) {
        for property in self {
            try MQTTString.validateContents(property.name, as: "user property name")
            try MQTTString.validateContents(property.value, as: "user property value")
        }
    }
}
