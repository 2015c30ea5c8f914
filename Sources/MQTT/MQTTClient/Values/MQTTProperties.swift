/// The MQTT 5 properties of an application message. On 3.1.1 they are not sent.
public struct MQTTProperties: Sendable, Equatable {
    /// A user property. Names may repeat; the order is kept.
    public struct UserProperty: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The properties that most messages do not have.
    struct Values: Sendable, Equatable {
        var contentType: String?
        var isUTF8: Bool?
        var responseTopic: MQTTTopic?
        var correlationData: [UInt8]?
        var messageExpirySeconds: UInt32?
        var userProperties: [UserProperty] = []
        /// The user properties after the first one.
        var furtherIdentifiers: [UInt32] = []
    }

    /// One object for all of them, because messages are copied often.
    private final class Box: Sendable, Equatable {
        let values: Values

        init(_ values: Values) { self.values = values }

        static func == (one: Box, other: Box) -> Bool { one.values == other.values }
    }

    /// Nil if there are none.
    private var box: Box?
    /// Zero if there is none.
    private var firstIdentifier: UInt32 = 0

    var values: Values {
        get { box?.values ?? Values() }
        set { box = newValue == Values() ? nil : Box(newValue) }
    }

    /// The MIME type of the payload. An empty one is left out, because the wrapped library crashes on it.
    public var contentType: String? {
        get { box?.values.contentType }
        set { values.contentType = newValue }
    }
    /// Whether the payload is declared to be UTF-8 text (Payload Format Indicator).
    public var isUTF8: Bool? {
        get { box?.values.isUTF8 }
        set { values.isUTF8 = newValue }
    }
    /// The topic for the response.
    public var responseTopic: MQTTTopic? {
        get { box?.values.responseTopic }
        set { values.responseTopic = newValue }
    }
    /// The data that a response must contain to be matched with its request.
    public var correlationData: [UInt8]? {
        get { box?.values.correlationData }
        set { values.correlationData = newValue }
    }
    /// Seconds after which the broker discards the message undelivered.
    public var messageExpirySeconds: UInt32? {
        get { box?.values.messageExpirySeconds }
        set { values.messageExpirySeconds = newValue }
    }
    /// User properties, in order.
    public var userProperties: [UserProperty] {
        get { box?.values.userProperties ?? [] }
        set { values.userProperties = newValue }
    }
    /// Inbound only: identifiers of the subscriptions that matched, from 1 on.
    public var subscriptionIdentifiers: [UInt32] {
        get {
            guard let first = firstSubscriptionIdentifier else { return [] }
            return [first] + (box?.values.furtherIdentifiers ?? [])
        }
        set {
            let identifiers = newValue.filter { $0 > 0 }
            firstIdentifier = identifiers.first ?? 0
            values.furtherIdentifiers = Array(identifiers.dropFirst())
        }
    }

    /// The one identifier that the wrapped library passes on.
    var firstSubscriptionIdentifier: UInt32? { firstIdentifier > 0 ? firstIdentifier : nil }

    /// No properties.
    public static let none = MQTTProperties()

    public init(
        contentType: String? = nil, isUTF8: Bool? = nil, responseTopic: MQTTTopic? = nil,
        correlationData: [UInt8]? = nil, messageExpirySeconds: UInt32? = nil,
        userProperties: [UserProperty] = [], subscriptionIdentifiers: [UInt32] = []
    ) {
        values = Values(
            contentType: contentType, isUTF8: isUTF8, responseTopic: responseTopic,
            correlationData: correlationData, messageExpirySeconds: messageExpirySeconds,
            userProperties: userProperties)
        // Outbound messages have none, so they need no second object.
        if subscriptionIdentifiers.isEmpty { return }
        self.subscriptionIdentifiers = subscriptionIdentifiers
    }

    /// The properties of an inbound message, with its identifier if there is one.
    init(_ values: Values?, subscriptionIdentifier: UInt32) {
        if let values { self.values = values }
        firstIdentifier = subscriptionIdentifier
    }

    /// Whether there are no properties to send.
    public var isEmpty: Bool {
        guard let values = box?.values else { return true }
        return (values.contentType ?? "").isEmpty && values.isUTF8 == nil
            && values.responseTopic == nil && values.correlationData == nil
            && values.messageExpirySeconds == nil && values.userProperties.isEmpty
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
